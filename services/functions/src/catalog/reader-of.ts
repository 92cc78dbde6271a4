import type { AppFunction } from '@onward/catalog'

/**
 * Returns the function that reads the object which a function changes, such as `get-contact` for `delete-contact` and `update-contact`; undefined if
 * there is none. All its required parameters are parameters of the function that changes.
 */
export function readerOf({ name, type, app, parameters }: AppFunction): AppFunction | undefined {
  if (type !== 'ACTION') return undefined
  const [, object] = /^[^-]+-(.+)$/.exec(name.slice(app.name.length + 1)) ?? []
  const reader = app.functions.find((each) => each.type === 'QUERY' && each.name === `${app.name}-get-${object}`)
  return reader?.parameters.required.every((each) => Object.hasOwn(parameters.properties, each)) ? reader : undefined
}
