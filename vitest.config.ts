import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/seed.ts'],
    // Only a guard against hangs: speed is measured in bench/.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    coverage: { include: ['src/**'] },
  },
});
export default config;
