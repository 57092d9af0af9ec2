// gifenc for every way to load it: bundlers take its module; Node takes its script, whose exports are all in `default`.
import * as gifenc from "gifenc";

type Gifenc = typeof gifenc;
const loaded: Partial<Gifenc> & { readonly default?: Gifenc } = gifenc;

export const { GIFEncoder, quantize } = loaded.quantize ? gifenc : loaded.default!;
