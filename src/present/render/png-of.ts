import { fileURLToPath } from 'node:url';

/** What pictures need is not installed; `message` is one sentence. */
export class RenderError extends Error {
  override readonly name: string = 'RenderError';
}

/** The fonts lie three levels up from src/present/render and from dist/present/render, two from dist/cli. */
const fontFolders: readonly URL[] = ['../../../fonts/', '../../fonts/'].map((path) => new URL(path, import.meta.url));

const fontFiles = ['Inter-Regular.ttf', 'Inter-SemiBold.ttf'] as const;

/**
 * Draws an SVG as PNG with the fonts that come with the program, so that the picture is the same on any machine.
 * @param scale Pixels of the picture per pixel of the SVG.
 * @throws RenderError where the optional renderer is not installed.
 */
export async function pngOf(svg: string, scale: number): Promise<Uint8Array> {
  const { existsSync } = await import('node:fs');
  const folder = fontFolders.find((each) => existsSync(new URL(fontFiles[0], each)));
  if (folder === undefined) throw new RenderError('the fonts of the program are missing');
  const { Resvg } = await renderer();
  return new Resvg(svg, {
    fitTo: { mode: 'zoom', value: scale },
    font: {
      fontFiles: fontFiles.map((file) => fileURLToPath(new URL(file, folder))),
      loadSystemFonts: false,
      defaultFontFamily: 'Inter',
      sansSerifFamily: 'Inter',
    },
  })
    .render()
    .asPng();
}

async function renderer(): Promise<typeof import('@resvg/resvg-js')> {
  try {
    return await import('@resvg/resvg-js');
  } catch (cause) {
    throw new RenderError(missingRenderer, { cause });
  }
}

const missingRenderer =
  'PNG needs the package @resvg/resvg-js, which is optional and not installed: npm install @resvg/resvg-js, or write .svg.';
