/** The style of all pages: system fonts, one accent, light and dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f4f5f7; --card: #fff; --ink: #1b1f27; --soft: #565d6b; --line: #80889a; --rule: #e3e6ec;
  --accent: #2f5bd7; --accent-ink: #fff; --accent-soft: #e8eefc; --bad: #b3261e; --bad-soft: #fdeeed; --good: #1c7a47; --good-soft: #e6f5ec;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12151b; --card: #1b1f28; --ink: #e9ecf2; --soft: #a7afbf; --line: #6d7689; --rule: #2d333f;
    --accent: #8fb0ff; --accent-ink: #0d1730; --accent-soft: #22304f; --bad: #ffb0a8; --bad-soft: #3a1f1f; --good: #7fd6a4; --good-soft: #1b3327;
  }
}
* { box-sizing: border-box; margin: 0; }
body {
  background: var(--paper); color: var(--ink); min-height: 100vh; display: grid; justify-items: center; align-content: start;
  padding: 1.25rem 1rem 2rem; font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere;
}
main { width: 100%; max-width: 27rem; background: var(--card); border: 1px solid var(--rule); border-radius: 1rem; padding: 1.75rem 1.5rem; }
@media (min-width: 40rem) { body { padding-top: 8vh; } main { padding: 2.5rem; } }
.mark {
  width: 3rem; height: 3rem; border-radius: .85rem; display: grid; place-items: center; margin-bottom: 1.25rem;
  background: var(--accent-soft); color: var(--accent); font-size: 1.375rem; font-weight: 650;
}
/* Many logos are black, so they stand on white in the dark, too. */
.mark.logo { background: #fff; border: 1px solid var(--rule); padding: .4375rem; }
.logo img { width: 2rem; height: 2rem; object-fit: contain; }
.mark.good { background: var(--good-soft); color: var(--good); }
.mark.bad { background: var(--bad-soft); color: var(--bad); }
h1 { text-wrap: balance; font-size: 1.375rem; line-height: 1.3; font-weight: 650; letter-spacing: -.01em; }
h1 + p, h1 + ul { margin-top: .5rem; }
p { color: var(--soft); }
p + p { margin-top: .5rem; }
p strong { color: var(--ink); font-weight: 600; }
form, .choices { margin-top: 1.75rem; display: grid; gap: 1.25rem; }
a { color: var(--accent); }
.help { margin-top: 1.5rem; }
.help + form { margin-top: 1.25rem; }
.cancel { display: block; margin-top: .5rem; padding: .75rem 1rem; color: var(--soft); text-align: center; text-decoration: none; }
.cancel:hover { text-decoration: underline; }
label { display: block; font-weight: 600; }
label span { color: var(--soft); font-weight: 400; }
.hint { font-size: .875rem; margin-top: .125rem; }
.wrong { font-size: .875rem; margin-top: .375rem; color: var(--bad); }
input {
  display: block; width: 100%; margin-top: .5rem; padding: .6875rem .75rem; font: inherit; color: inherit;
  background: transparent; border: 1px solid var(--line); border-radius: .625rem;
}
summary { cursor: pointer; color: var(--soft); }
details div { margin-top: 1rem; }
[aria-invalid] { border-color: var(--bad); }
button, .choices a, .again {
  display: block; width: 100%; padding: .75rem 1rem; border: 0; border-radius: .625rem; font: inherit; font-weight: 600;
  background: var(--accent); color: var(--accent-ink); text-align: center; text-decoration: none; cursor: pointer;
}
button:hover, .again:hover { filter: brightness(1.08); }
button.danger { background: var(--bad); }
.again { margin-top: 1.75rem; }
.choices { list-style: none; padding: 0; gap: .75rem; }
.choices a { background: transparent; color: inherit; text-align: left; border: 1px solid var(--line); }
.choices a:hover { border-color: var(--accent); background: var(--accent-soft); }
.choices small { display: block; font-size: .875rem; font-weight: 400; color: var(--soft); }
.summary { margin-top: 1.5rem; padding: .875rem 1rem; border-radius: .625rem; background: var(--bad-soft); border-left: .25rem solid var(--bad); }
.summary p { color: var(--ink); font-weight: 600; }
.summary ul { margin-top: .375rem; padding-left: 1.125rem; }
.summary a { color: var(--bad); }
h2 { font-size: 1rem; font-weight: 600; line-height: 1.3; }
p + h2 { margin-top: 1.75rem; }
h2 + .choices { margin-top: .75rem; }
.empty, .accounts { margin-top: 1.75rem; }
.accounts { list-style: none; padding: 0; display: grid; gap: .75rem; }
.accounts li { border: 1px solid var(--rule); border-radius: .625rem; padding: 1rem; }
.account { display: flex; gap: .875rem; align-items: center; }
.account .mark { margin: 0; flex: none; }
.account p { font-size: .875rem; }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .75rem; }
.actions form { display: contents; }
.actions a, .actions button {
  width: auto; padding: .6875rem .875rem; border: 1px solid var(--line); border-radius: .5rem; background: transparent; color: inherit;
  font-size: .875rem; font-weight: 500; line-height: 1.5; text-decoration: none;
}
.actions a:hover, .actions button:hover { border-color: var(--accent); background: var(--accent-soft); filter: none; }
.actions a.urgent { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
.facts { margin-top: 1.5rem; display: grid; gap: .125rem; }
.facts dt { font-size: .875rem; color: var(--soft); }
.facts dd + dt { margin-top: .75rem; }
fieldset { border: 0; padding: 0; min-width: 0; }
legend { padding: 0; font-weight: 600; }
.option { display: flex; gap: .75rem; line-height: 1.35; padding: .25rem 0; align-items: center; min-height: 2.75rem; font-weight: 400; cursor: pointer; }
.option input { flex: none; width: 1.25rem; height: 2.75rem; margin: 0; accent-color: var(--accent); }
select {
  width: 100%; min-height: 2.75rem; margin-top: .5rem; padding: .625rem .75rem; font: inherit; color: inherit; background: var(--card);
  border: 1px solid var(--line); border-radius: .625rem;
}
.apps { list-style: none; padding: 0 0 0 2rem; }
.apps details { padding-bottom: .75rem; }
.apps details .option { margin-left: .5rem; }
@supports selector(:has(*)) { fieldset:has([value="all"]:checked) .apps { display: none; } }
pre { margin-top: .75rem; padding: .75rem; border: 1px solid var(--rule); border-radius: .5rem; white-space: pre-wrap; font-size: .8125rem; max-height: 20rem; overflow: auto; }
.sent { white-space: pre-wrap; max-height: 12rem; overflow: auto; }
.facts + details { margin-top: 1rem; }
/* Enter in a field presses the first button of a form, which must not approve. */
.refuse-first button:first-child { order: 1; }
.decision { display: grid; gap: .75rem; }
button.plain { background: transparent; color: inherit; border: 1px solid var(--line); }
code { overflow-wrap: anywhere; color: var(--ink); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.small { margin-top: 1.5rem; padding-top: 1.25rem; border-top: 1px solid var(--rule); font-size: .875rem; }
:focus-visible, .summary:focus { outline: 3px solid var(--accent); outline-offset: 2px; }
@media (forced-colors: active) { main, button, .summary { border: 1px solid; } }
`
