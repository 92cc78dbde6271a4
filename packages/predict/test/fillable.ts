import { type AppFunction, loadCatalog } from '@onward/catalog'
import { compileCheck } from '@onward/runtime'
import type { Fillable } from '../src/index.ts'

/** The apps that come with Onward. */
export const builtIn = () => loadCatalog(['packages/catalog/apps'])

type Described = Pick<AppFunction, 'title' | 'description' | 'parameters'> & Pick<Fillable, 'app'>

export function fillableOf({ title, description, parameters, app }: Described): Fillable {
  const check = compileCheck({ additionalProperties: false, ...parameters } as never, 'strict')
  return { check, title, about: `${title} ${description}`, app, ...parameters }
}

/** Fillable functions of the apps that come with Onward, by name. */
export async function openFillables(): Promise<(name: string) => Fillable> {
  const catalog = await builtIn()
  return (name) => {
    const fn = catalog.fn(name)
    if (fn === undefined) throw new Error(`there is no ${name}`)
    return fillableOf(fn)
  }
}
