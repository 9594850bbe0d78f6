/** Replaced by the bundler with the version of package.json; tests and scripts run unbundled. */
declare const __TWOCLOCKS_VERSION__: string | undefined;

export const version: string = typeof __TWOCLOCKS_VERSION__ === 'string' ? __TWOCLOCKS_VERSION__ : 'source';
