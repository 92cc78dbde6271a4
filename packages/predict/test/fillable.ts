import { type AppFunction, loadCatalog } from '@onward/catalog'
import { compileCheck } from '@onward/runtime'
import type { Fillable } from '../src/index.ts'

/** The apps that come with Onward. */
export const builtIn = () => loadCatalog(['packages/catalog/apps'])

export function fillableOf({ title, description, parameters }: Pick<AppFunction, 'title' | 'description' | 'parameters'>): Fillable {
  const check = compileCheck({ additionalProperties: false, ...parameters } as never, 'strict')
  return { check, title, about: `${title} ${description}`, ...parameters }
}
