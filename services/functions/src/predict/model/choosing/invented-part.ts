import { type AppFunction, onlyTag, VARIABLE_TAG } from '@onward/catalog'
import type { ArgumentInput } from '@onward/predict'

/** E-mail addresses, and the hosts of URLs: what a model makes up most readily, and what does most harm. There may be tags in them. */
const ADDRESSES =
  /(?:[\w.%+-]|\{[\w.-]+\}){1,64}@(?:[a-z0-9-]|\{[\w.-]+\}){1,63}(?:\.(?:[a-z0-9-]|\{[\w.-]+\}){1,63})+|(?<=https?:\/\/)[^\s/?#"'<>\\]+/gi

/**
 * What a parameter's value holds that the prompt does not, and that can't be known otherwise: an address, or the id or name of a thing in
 * the app, unless the parameter's description names it. Undefined when there is nothing of the kind.
 */
export function inventedPart(
  { parameters, sources }: AppFunction,
  name: string,
  value: unknown,
  { prompt }: ArgumentInput,
): string | undefined {
  const said = (prompt ?? '').toLowerCase()
  const addresses = JSON.stringify(value).match(ADDRESSES) ?? []
  const address = addresses.find((each) => literalParts(each).some((part) => !said.includes(part)))
  if (address !== undefined || !Object.hasOwn(sources, name)) return address
  const known = `${said}\n${parameters.properties[name]?.description ?? ''}`.toLowerCase()
  const ids = (Array.isArray(value) ? value : [value]).map(String)
  return ids.find((id) => onlyTag(id) === undefined && !known.includes(id.toLowerCase()))
}

/** What stands beside the tags of an address, in lower case: of `{name}@shop.example` it is `shop.example`. */
function literalParts(address: string): string[] {
  const parts = address.toLowerCase().replace(VARIABLE_TAG, ' ').split(' ')
  return parts.map((part) => (parts.length > 1 ? part.replace(/^[@.]+|[@.]+$/g, '') : part)).filter((part) => part !== '')
}
