import type { AppFunction } from '@onward/catalog'
import type { Asking } from '@onward/predict'

/** E-mail addresses, and the hosts of URLs: what a model makes up most readily, and what does most harm. */
const ADDRESSES = /[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+|(?<=https?:\/\/)[^\s/?#"'<>\\]+/gi

/**
 * What a parameter's value holds that the prompt does not, and that can't be known otherwise: an address, or the id or name of a thing in
 * the app, unless the parameter's description names it. Undefined when there is nothing of the kind.
 */
export function inventedPart({ parameters, sources }: AppFunction, name: string, value: unknown, { prompt }: Asking): string | undefined {
  const said = (prompt ?? '').toLowerCase()
  const addresses = JSON.stringify(value).match(ADDRESSES) ?? []
  const address = addresses.find((each) => !each.includes('{') && !said.includes(each.toLowerCase()))
  if (address !== undefined || !Object.hasOwn(sources, name)) return address
  const known = `${said}\n${parameters.properties[name]?.description ?? ''}`.toLowerCase()
  const ids = (Array.isArray(value) ? value : [value]).map(String)
  return ids.find((id) => !/^\{.*\}$/.test(id) && !known.includes(id.toLowerCase()))
}
