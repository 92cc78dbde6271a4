import { accentsOf, type ConnectPages } from '@onward/contract'

type Palette = Readonly<Record<string, string>>

/** The colours of the console (`packages/console/src/ui/tokens.css`). */
const LIGHT: Palette = {
  ...{ canvas: '#f6f7f9', surface: '#fff', line: '#e2e6ec', control: '#80889a', ink: '#11151c', muted: '#5a6473', hover: '#f1f4f9' },
  ...{ accent: '#3b5bdb', strong: '#2f4cc4', soft: '#edf1ff', on: '#fff', good: '#0f7b4f', 'good-soft': '#e5f6ee', bad: '#c2262e' },
  ...{ 'bad-soft': '#fdecec' },
}
const DARK: Palette = {
  ...{ canvas: '#0c0f14', surface: '#141820', line: '#2a313d', control: '#6d7689', ink: '#e8ecf2', muted: '#9aa5b5', hover: '#1a202a' },
  ...{ accent: '#8aa4ff', strong: '#a5baff', soft: '#1c2645', on: '#0c1024', good: '#4cc38a', 'good-soft': '#12291f', bad: '#ff8a8a' },
  ...{ 'bad-soft': '#331a1d' },
}

/** Returns the style of all pages, in the theme and with the accent of the application. `font` is the URL of the font. */
export function styleOf(font: string, { accent, theme = 'reader' }: Pick<ConnectPages, 'accent' | 'theme'> = {}): string {
  const accents = accent === undefined ? undefined : accentsOf(accent.slice(1))
  const light = variables({ ...LIGHT, ...accents?.light })
  const dark = variables({ ...DARK, ...accents?.dark })
  return `
@font-face { font-family: Inter; font-display: swap; font-weight: 100 900; src: url("${font}") format("woff2"); }
:root { color-scheme: ${theme === 'reader' ? 'light dark' : theme}; ${theme === 'dark' ? dark : light} }
${theme === 'reader' ? `@media (prefers-color-scheme: dark) { :root { ${dark} } }` : ''}
${RULES}`
}

function variables(palette: Palette): string {
  return Object.entries(palette)
    .map(([name, color]) => `--${name}: ${color};`)
    .join(' ')
}

/** The arrow of a list to choose from, in a grey that is seen on both surfaces. */
const ARROW = `url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16' fill='none' stroke='%2380889a' stroke-width='1.75'%3E%3Cpath d='m4 6 4 4 4-4'/%3E%3C/svg%3E")`

const RULES = `
* { box-sizing: border-box; margin: 0; }
body {
  background: var(--canvas); color: var(--ink); min-height: 100vh; display: grid; justify-items: center; align-content: start;
  padding: 1rem 1rem 1.5rem; font: 1rem/1.5 Inter, system-ui, -apple-system, "Segoe UI", sans-serif; font-feature-settings: "cv11", "ss03";
  -webkit-font-smoothing: antialiased; overflow-wrap: anywhere;
}
header {
  grid-row: 2; width: 100%; max-width: 26rem; display: flex; align-items: center; gap: .625rem; padding: 0 .25rem 1rem; font-weight: 600;
}
header img { height: 2rem; max-width: 8rem; object-fit: contain; }
main { grid-row: 3; width: 100%; max-width: 26rem; background: var(--surface); border: 1px solid var(--line); border-radius: .75rem; padding: 1.5rem; }
/* The card stands a little above the middle, where it looks centred. A page taller than the window begins at its top. */
@media (min-width: 40rem) { body { grid-template-rows: 2fr auto auto 3fr; align-content: stretch; } main { padding: 2rem; } }
.mark {
  width: 3rem; height: 3rem; border-radius: .625rem; display: grid; place-items: center; margin-bottom: 1.25rem;
  background: var(--soft); color: var(--accent); font-size: 1.25rem; font-weight: 600;
}
header .mark { width: 2rem; height: 2rem; margin: 0; border-radius: .5rem; font-size: 1rem; }
/* Many logos are black, so they stand on white in the dark, too. */
.mark.logo { background: #fff; border: 1px solid var(--line); padding: .4375rem; }
.logo img { width: 2rem; height: 2rem; object-fit: contain; }
.mark.good { background: var(--good-soft); color: var(--good); }
.mark.bad { background: var(--bad-soft); color: var(--bad); }
/* The logo of an app, with the sign of a result at its corner. */
.result { position: relative; width: 3rem; margin-bottom: 1.5rem; }
.result .mark { margin: 0; }
.result .mark + .mark {
  position: absolute; right: -.625rem; bottom: -.625rem; width: 1.625rem; height: 1.625rem; border: 2px solid var(--surface); border-radius: 50%;
  background: var(--muted); color: var(--surface);
}
.result .mark + .good { background: var(--good); }
.result .mark + .bad { background: var(--bad); }
.result svg { width: .9375rem; height: .9375rem; }
h1 { text-wrap: balance; font-size: 1.375rem; line-height: 1.75rem; font-weight: 600; letter-spacing: -.01em; }
h1 .name { display: inline-block; }
h1 + p, h1 + ul { margin-top: .5rem; }
p { color: var(--muted); }
p + p { margin-top: .5rem; }
p strong { color: var(--ink); font-weight: 600; }
form, .choices { margin-top: 1.5rem; display: grid; gap: 1.25rem; }
a { color: var(--accent); text-underline-offset: 2px; }
.help { margin-top: 1rem; }
.help + form { margin-top: 1rem; }
.help a, .empty a, .back { display: inline-flex; align-items: center; gap: .375rem; min-height: 2.75rem; font-weight: 500; text-decoration: none; }
.help a:hover, .empty a:hover, .back:hover { text-decoration: underline; }
.help .hint { display: block; margin-top: -.5rem; }
.cancel, .other { display: block; padding: .75rem 1rem; color: var(--muted); text-align: center; text-decoration: none; }
.cancel { margin-top: .5rem; }
.cancel:last-child { margin-bottom: -.75rem; }
.other { margin-top: .75rem; color: var(--accent); font-weight: 500; }
.cancel:hover, .other:hover { text-decoration: underline; }
.other + .other, .other + .cancel { margin-top: 0; }
label { display: block; font-weight: 500; }
label span { color: var(--muted); font-weight: 400; }
.hint { font-size: .875rem; margin-top: .125rem; }
.wrong { font-size: .875rem; margin-top: .375rem; color: var(--bad); }
input {
  display: block; width: 100%; min-height: 2.75rem; margin-top: .5rem; padding: .5625rem .75rem; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--control); border-radius: .5rem;
}
input::placeholder { color: var(--muted); opacity: 1; }
.secret:not(.shown) { -webkit-text-security: disc; }
.reveal { display: flex; margin-top: .5rem; }
.reveal input { margin: 0; flex: 1; min-width: 0; }
.reveal button:not([hidden]) + input, .reveal input:has(+ button:not([hidden])) { border-radius: .5rem 0 0 .5rem; border-right: 0; }
.reveal button {
  width: auto; padding: .5625rem .875rem; background: transparent; color: var(--ink); border: 1px solid var(--control);
  border-radius: 0 .5rem .5rem 0; font-weight: 500; font-size: .875rem; min-width: 4.25rem;
}
.reveal button:hover { background: var(--hover); }
summary { display: flex; align-items: center; gap: .625rem; min-height: 2.75rem; color: var(--muted); list-style: none; cursor: pointer; }
summary::-webkit-details-marker { display: none; }
summary:hover { color: var(--ink); }
summary::before, .apps-list a::after {
  content: ""; flex: none; width: .4375rem; height: .4375rem; margin: 0 .1875rem; border: solid; border-width: 1.75px 1.75px 0 0; transform: rotate(45deg);
}
[open] > summary::before { transform: rotate(135deg); }
details div { margin-top: .75rem; }
[aria-invalid] { border-color: var(--bad); }
button, .again {
  display: block; width: 100%; padding: .625rem 1rem; border: 0; border-radius: .5rem; font: inherit; line-height: 1.5rem; font-weight: 600;
  background: var(--accent); color: var(--on); text-align: center; text-decoration: none; cursor: pointer;
}
[hidden] { display: none; }
button:hover, .again:hover { background: var(--strong); }
button.danger { background: #c2262e; color: #fff; }
button.danger:hover { background: #a81f27; }
.again { margin-top: 1.5rem; }
.scopes { margin-top: 1.5rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
.scopes ul { margin-top: .5rem; padding: 0; list-style: none; }
.scopes li { padding: .125rem 0 .125rem 1.75rem; position: relative; }
.scopes li::before {
  content: ""; position: absolute; left: .1875rem; top: .5625rem; width: .75rem; height: .375rem; transform: rotate(-45deg);
  border: solid var(--accent); border-width: 0 0 2px 2px;
}
.scopes details { margin-top: .25rem; }
.scopes details ul { margin: 0; }
.scopes + form { margin-top: 1rem; }
.scopes details li { font-size: .875rem; }
.summary { position: relative; margin-top: 1.5rem; padding: .75rem 1rem .75rem 2.75rem; border-radius: .5rem; background: var(--bad-soft); }
.summary::before {
  content: "!"; position: absolute; left: 1rem; top: .875rem; width: 1.25rem; border-radius: 50%; background: var(--bad); color: var(--surface);
  font-size: .8125rem; font-weight: 700; line-height: 1.25rem; text-align: center;
}
.summary p { color: var(--ink); font-weight: 500; }
.summary ul { margin-top: .25rem; padding: 0; list-style: none; }
.summary a { color: var(--bad); }
h2 { font-size: 1rem; font-weight: 600; line-height: 1.5rem; }
p + h2 { margin-top: 1.5rem; }
.facts + h2 { margin-top: 2rem; }
.done { margin: 1rem 0; padding: .75rem 1rem; border-radius: .5rem; background: var(--good-soft); color: var(--good); font-weight: 500; }
.search { position: relative; color: var(--muted); }
.search svg { position: absolute; left: .75rem; top: .75rem; pointer-events: none; }
.search input { margin: 0; padding-left: 2.5rem; color: var(--ink); }
.empty, .accounts { margin-top: 1.5rem; }
.apps-list ~ .empty, [role="search"] + .empty { text-align: center; padding: 1.5rem 0; }
.accounts { list-style: none; padding: 0; }
.accounts li { border-top: 1px solid var(--line); padding: 1rem 0 .5rem; }
.accounts + .again { margin-top: .5rem; }
.account { display: flex; gap: .75rem; align-items: center; }
.account .mark { margin: 0; flex: none; }
.account p { font-size: .875rem; }
.actions { display: flex; flex-wrap: wrap; margin: 0 -.625rem; }
.actions form { display: contents; }
.actions a, .actions button {
  width: auto; padding: .75rem .625rem; border-radius: .5rem; background: transparent; color: var(--accent);
  font-size: .875rem; font-weight: 500; line-height: 1.5; text-decoration: none;
}
.actions a.end { color: var(--bad); }
.actions a:hover, .actions button:hover { background: var(--hover); }
.actions a.urgent { margin: .5rem .25rem .5rem .625rem; background: var(--accent); color: var(--on); }
.actions a.urgent:hover { background: var(--strong); }
.facts { margin-top: 1.5rem; display: grid; gap: .125rem; }
.facts dt { font-size: .875rem; color: var(--muted); }
.facts dd { margin: 0; }
.facts dd + dt { margin-top: .75rem; }
.apps-list { margin: .5rem -.75rem -.75rem; padding: .25rem; list-style: none; }
.apps-list a {
  display: flex; align-items: center; gap: .75rem; min-height: 3.25rem; padding: .375rem .5rem; border-radius: .5rem; color: inherit; text-decoration: none;
}
.apps-list a::after { color: var(--muted); }
/* The list scrolls inside its card, whose height stays while the user types. On a phone, the page scrolls below the field. */
@media (min-width: 40rem) {
  .picker { display: flex; flex-direction: column; height: clamp(24rem, 100vh - 9rem, 42rem); padding-bottom: 0; }
  .picker > * { flex: none; }
  .picker .apps-list { flex: 1; overflow: auto; margin-bottom: 0; padding-bottom: .75rem; }
}
@media (max-width: 39.99rem) { .picker form { position: sticky; top: 0; margin: .75rem 0 0; padding: .75rem 0; background: var(--surface); } }
.apps-list a:hover { background: var(--hover); }
.apps-list .mark { width: 2.25rem; height: 2.25rem; margin: 0; flex: none; padding: .25rem; font-size: 1rem; }
.apps-list img { width: 1.5rem; height: 1.5rem; }
.apps-list span { flex: 1; min-width: 0; font-weight: 500; }
.apps-list small { padding: .125rem .5rem; border-radius: 1rem; background: var(--good-soft); color: var(--good); font-size: .8125rem; font-weight: 500; }
fieldset { border: 0; padding: 0; min-width: 0; }
legend { padding: 0; font-weight: 600; }
legend + p, legend + .option { margin-top: .25rem; }
.option { display: flex; gap: .75rem; line-height: 1.35; padding: .25rem 0; align-items: center; min-height: 2.75rem; font-weight: 400; cursor: pointer; }
.option input { flex: none; width: 1.25rem; height: 2.75rem; margin: 0; accent-color: var(--accent); }
select {
  width: 100%; min-height: 2.75rem; margin-top: .5rem; padding: .5625rem 2.5rem .5625rem .75rem; font: inherit; color: inherit; appearance: none;
  background: ${ARROW} right .75rem center / 1rem no-repeat var(--surface); border: 1px solid var(--control); border-radius: .5rem;
}
.apps { list-style: none; padding: 0 0 0 2rem; }
.apps details { padding-bottom: .75rem; }
.apps details .option { margin-left: .5rem; }
@supports selector(:has(*)) { fieldset:has([value="all"]:checked) .apps { display: none; } }
pre { margin-top: .75rem; padding: .75rem; border: 1px solid var(--line); border-radius: .5rem; white-space: pre-wrap; font-size: .8125rem; max-height: 20rem; overflow: auto; }
.sent { white-space: pre-wrap; max-height: 12rem; overflow: auto; }
.facts + details, .wrong + details { margin-top: 1rem; }
.hint + .facts { margin-top: .75rem; }
.facts + .hint { margin-top: .75rem; }
.decision { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); }
.steps { margin-top: .75rem; padding-left: 1.25rem; color: var(--muted); }
button.plain { background: transparent; color: inherit; border: 1px solid var(--control); }
button.plain:hover { background: var(--hover); }
code { overflow-wrap: anywhere; color: var(--ink); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.back { width: fit-content; margin: -.75rem 0 .5rem; font-size: .875rem; }
#leave { margin-top: 1.5rem; }
.again + #leave { margin-top: .75rem; }
.small { margin-top: 1rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .875rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
/* It takes the focus so that a screen reader begins there. */
.summary:focus { outline: 1px solid var(--bad); outline-offset: -1px; }
@media (forced-colors: active) { main, button, .summary { border: 1px solid; } }
`
