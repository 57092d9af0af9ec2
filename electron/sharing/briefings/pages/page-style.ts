// The style sheet, included in every page so that a page can be shared as one file.
import { Html } from "./html.ts";

const light = `--ground:#fff;--panel:#f2f5f8;--rule:#c9d2db;--text:#14202b;--quiet:#4a5a69;--link:#005a9c;--amber:#7a4a00;--amber-ground:#fff3df`;
const dark = `--ground:#0a0e13;--panel:#10161d;--rule:#2b3947;--text:#e8eef4;--quiet:#a9b5c1;--link:#7cd0ff;--amber:#ffc266;--amber-ground:#2a1f0d`;

const rules = `
:root{color-scheme:light dark;${light}}
@media (prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--ground);color:var(--text);font:1rem/1.55 "Noto Sans",system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;font-variant-numeric:tabular-nums}
h1,h2,dd,.trail,.steps,.notice,footer{overflow-wrap:anywhere}
.page{max-width:76rem;margin:0 auto;padding:1rem 1.25rem 3rem}
a{color:var(--link)}
a:focus-visible{outline:3px solid var(--link);outline-offset:2px}
h1{font-size:1.75rem;line-height:1.2;margin:.75rem 0 .5rem;text-wrap:balance}
h2{font-size:1.25rem;line-height:1.3;margin:2.25rem 0 .5rem}
p{margin:.5rem 0;max-width:46rem}
.trail,.steps{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;align-items:baseline;margin:0;padding:0;list-style:none}
.trail{font-size:.875rem}
.steps{margin:1.25rem 0}
.steps a{display:inline-block;padding:.45rem .9rem;border:1px solid var(--rule);border-radius:.3rem;background:var(--panel);text-decoration:none}
.steps a:hover{text-decoration:underline}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:1px;margin:1rem 0;border:1px solid var(--rule);background:var(--rule)}
.facts div{background:var(--panel);padding:.6rem .9rem}
dt{font-size:.8125rem;color:var(--quiet)}
dd{margin:0;font-weight:600}
dd small,th small{display:block;font-weight:400;font-size:.875rem;color:var(--quiet)}
.notice{border-left:4px solid var(--amber);background:var(--amber-ground);padding:.6rem .9rem;margin:1rem 0}
.notice strong{color:var(--amber)}
figure{margin:.75rem 0}
img{display:block;width:100%;height:auto;background:#0a0e13;border:1px solid var(--rule)}
figcaption,.quiet{font-size:.875rem;color:var(--quiet)}
figcaption{margin-top:.4rem}
.step{display:block;font-size:1.0625rem;font-weight:600;color:var(--text)}
.scroll{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;font-size:.9375rem}
caption{text-align:left;font-size:.875rem;color:var(--quiet);padding:.25rem 0 .4rem}
th,td{text-align:left;padding:.35rem 1.1rem .35rem 0;border-top:1px solid var(--rule);vertical-align:top}
thead th,th strong,th a{font-weight:600}
tbody th{font-weight:400}
thead th{font-size:.8125rem;color:var(--quiet);border-top:0}
td.number,th.number{text-align:right}
.swatch{display:inline-block;width:1.75rem;height:1rem;vertical-align:-.15rem;margin-right:.6rem;border:1px solid var(--rule)}
.mark{font-weight:700}
.late{color:var(--amber);font-weight:600}
footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--rule);font-size:.875rem;color:var(--quiet)}
footer p{max-width:60rem}
@media print{:root{${light}}.steps,.trail{display:none}body{font-size:10pt}.page{max-width:none;padding:0}h2{break-after:avoid}figure,table{break-inside:avoid}img{max-height:16cm;width:auto;max-width:100%}a{color:inherit;text-decoration:none}.swatch{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;

export const styleElement = new Html(`<style>${rules.trim()}</style>`);
