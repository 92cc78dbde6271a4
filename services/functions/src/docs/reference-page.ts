import { functionsOpenApi, insightsOpenApi } from '@onward/contract'
import { html, renderPage } from '@onward/runtime'

/** The documents that the viewer shows, by their names in `/docs/<name>.json`. */
export const DOCUMENTS = { functions: functionsOpenApi, insights: insightsOpenApi }

/** Returns the page of the API reference. The viewer builds its content. `root` is the path before `/docs`, usually empty. */
export function referencePage(root: string): string {
  return renderPage({
    title: 'Onward API reference',
    meta: { 'color-scheme': 'light dark' },
    head: [],
    body: html`<div id="reference"></div>
<noscript>
<p>The API reference needs JavaScript. The same is in the OpenAPI documents of <a href="${root}/docs/functions.json">area A</a> and
<a href="${root}/docs/insights.json">area B</a>, and in the <a href="${root}/docs/errors">list of errors</a>.</p>
</noscript>
<script src="${root}/docs/viewer/standalone.js"></script>
<script src="${root}/docs/reference.js"></script>`,
  })
}

/** Returns the script that starts the viewer, without the parts that would ask its vendor's servers. */
export function referenceScript(root: string): string {
  return `Scalar.createApiReference('#reference', {
  sources: [
    { title: 'Area A: functions', slug: 'functions', url: '${root}/docs/functions.json' },
    { title: 'Area B: insights', slug: 'insights', url: '${root}/docs/insights.json' },
  ],
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  defaultOpenAllTags: true,
})
`
}
