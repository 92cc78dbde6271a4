/** Parts of the JSON Schema of the app file format. */
export const TEXT = { type: 'string', minLength: 1 }
export const TEXTS = mapOf({ type: 'string' }, '.')
export const POINTER = { type: 'string', pattern: '^(/([^~/]|~[01])*)*$' }
export const HEADER_NAME = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"
export const HEADER_TEXT = '^[\\t -~]+$'
export const SETTING_NAME = '^[a-z][a-z0-9_]*$'

export type Keys = Readonly<Record<string, object>>

/** An object with these keys and no others. */
export function record(required: Keys, optional: Keys = {}): object {
  return { type: 'object', additionalProperties: false, required: Object.keys(required), properties: { ...required, ...optional } }
}

/** An object of any number of keys that match the pattern `name`. */
export function mapOf(value: object, name: string): object {
  return { type: 'object', propertyNames: { type: 'string', pattern: name }, additionalProperties: value }
}

/** One of several records; the key `tag` says which. */
export function oneOf(tag: string, kinds: Readonly<Record<string, readonly [required: Keys, optional?: Keys]>>): object {
  return {
    type: 'object',
    required: [tag],
    discriminator: { propertyName: tag },
    oneOf: Object.entries(kinds).map(([kind, [required, optional]]) => record({ [tag]: { const: kind }, ...required }, optional)),
    properties: { [tag]: { enum: Object.keys(kinds) } },
  }
}
