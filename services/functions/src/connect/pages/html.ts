/** Markup. Only `html` makes it, so that every text in it is escaped. */
export type Html = { readonly markup: string }

type Value = Html | readonly Html[] | string | number | false | undefined

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A template whose values are escaped, for elements and for attributes in double quotes; `false` and `undefined` leave nothing. */
export function html(texts: TemplateStringsArray, ...values: Value[]): Html {
  return { markup: texts.map((text, i) => text + (i < values.length ? written(values[i]) : '')).join('') }
}

function written(value: Value): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'object') return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('\n')
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}
