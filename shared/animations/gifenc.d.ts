// The part of gifenc that Echotop uses; the package has no types.
declare module "gifenc" {
  interface GifFrame {
    /** 256 colors, each red, green and blue. */
    readonly palette: readonly (readonly [number, number, number])[];
    /** Milliseconds, rounded to hundredths of a second. */
    readonly delay: number;
    readonly dispose: 0 | 1 | 2 | 3;
    readonly transparent: boolean;
    readonly transparentIndex: number;
  }

  interface GifEncoder {
    readonly stream: { readonly reset: () => void };
    writeFrame(indexes: Uint8Array, widthPx: number, heightPx: number, frame: GifFrame): void;
    /** A copy of the bytes since the last reset. */
    bytes(): Uint8Array<ArrayBuffer>;
  }

  export function GIFEncoder(options: { auto: boolean; initialCapacity: number }): GifEncoder;
  /** Returns at most `mostColors` colors; `pixels` are RGBA bytes. */
  export function quantize(pixels: Uint8Array, mostColors: number): number[][];
}
