import type { FunctionFile, ValueSchema } from '@onward/catalog'

/** How many schemas the parameters of a function hold, one in another, and values to choose from. */
export function sizeOf({ parameters }: FunctionFile): number {
  return Object.values(parameters?.properties ?? {}).reduce((sum, schema) => sum + schemasIn(schema), 0)
}

function schemasIn({ properties = {}, items, additionalProperties, enum: choices = [] }: ValueSchema): number {
  const inside = [...Object.values(properties), items, additionalProperties].filter((each) => typeof each === 'object')
  return 1 + choices.length + inside.reduce((sum, schema) => sum + schemasIn(schema as ValueSchema), 0)
}
