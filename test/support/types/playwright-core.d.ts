// What is used of playwright-core; its own types want those of the DOM, which no other part of the program may see.
export interface Locator {
  first(): Locator;
  hover(options?: { readonly force?: boolean }): Promise<void>;
  isVisible(): Promise<boolean>;
  textContent(): Promise<string | null>;
}

export interface Page {
  readonly mouse: { move(x: number, y: number): Promise<void> };
  emulateMedia(options: { readonly media: 'print' | 'screen' }): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
  goto(address: string): Promise<unknown>;
  locator(selector: string): Locator;
  on(event: 'request', listener: (request: { url(): string }) => void): void;
  on(event: 'console', listener: (message: { text(): string }) => void): void;
  on(event: 'pageerror', listener: (error: Error) => void): void;
  pdf(options: { readonly format: string }): Promise<Buffer>;
  setViewportSize(size: { readonly width: number; readonly height: number }): Promise<void>;
}

export interface BrowserContext {
  newPage(): Promise<Page>;
}

export interface Browser {
  close(): Promise<void>;
  newContext(options: {
    readonly offline: boolean;
    readonly viewport: { readonly width: number; readonly height: number };
  }): Promise<BrowserContext>;
}

export const chromium: {
  launch(options: { readonly executablePath: string; readonly args: readonly string[] }): Promise<Browser>;
};
