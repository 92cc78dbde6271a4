import { product } from '../words/vectors.ts'
import { asOneWord } from '../words/words.ts'
import { type Encoder, SAME_DIRECTION } from './encoder.ts'
import type { Rankable } from './function-text.ts'
import { textWords } from './typed-words.ts'

/**
 * Why no function fits. `no_such_app`: the prompt names a product that is not in the catalog. `no_such_operation`: the app has no such function.
 * `unclear`: the prompt could mean many functions. `out_of_scope`: the prompt is talk, asks for knowledge, or asks for what no app does.
 */
export type RefusalReason = (typeof refusalReasons)[number]
export const refusalReasons = ['no_such_app', 'no_such_operation', 'unclear', 'out_of_scope'] as const

/** Kinds of prompts that no function fits. The encoder learnt a direction for each, as for a function. */
const KINDS: readonly (readonly [kind: string, reason: RefusalReason])[] = [
  ['chat', 'out_of_scope'],
  ['knowledge', 'out_of_scope'],
  ['impossible', 'out_of_scope'],
  ['vague', 'unclear'],
  ['product', 'no_such_app'],
]

/** Returns the text of a kind of prompts that no function fits, for the encoder. */
export function nothingText(kind: string): string {
  return `zznothing${kind}`
}

/** Returns the text of what an app cannot do, for the encoder. */
export function cannotText(app: { readonly name: string; readonly title: string }): string {
  return `zzcannot ${app.title || app.name}`
}

export type Scope = {
  /**
   * Returns the cosine of a prompt with the most similar kind of prompts that no function fits, and the reason that this kind has. `apps` are
   * the apps that the prompt names. Of an app that was added later, the encoder may have learnt the name as a product that Onward lacks, and
   * it has not learnt what the app cannot do.
   */
  nothing(prompt: Int8Array, apps: ReadonlySet<string>): { readonly cosine: number; readonly reason: RefusalReason }
  /** Returns the first product that a prompt names and that is no app of the catalog. */
  product(prompt: string): string | undefined
}

/** A line of `products.txt`: the names of a product, separated by tabs. `capital` at the end: the name is also an ordinary word. */
export type Product = { readonly name: string; readonly written: readonly string[]; readonly capital: boolean }

export function readProducts(lines: string): Product[] {
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => {
      const parts = line.split('\t')
      const capital = parts.at(-1) === 'capital'
      const names = capital ? parts.slice(0, -1) : parts
      return { name: names[0] as string, written: names.map(asOneWord), capital }
    })
}

/** The number of words in the longest name of a product. */
const MAX_WORDS = 4

/** `learntApps` are the apps of which the encoder has learnt what they cannot do. Of any other app, it would know only the name. */
export function openScope(
  encoder: Encoder,
  products: readonly Product[],
  functions: readonly Rankable[],
  learntApps: ReadonlySet<string>,
): Scope {
  const apps = new Map(functions.map(({ app }) => [app.name, app]))
  const kinds = [
    ...KINDS.map(([kind, reason]) => ({ reason, direction: encoder.text(textWords(nothingText(kind))) })),
    ...[...apps.values()]
      .filter(({ name }) => learntApps.has(name))
      .map((app) => ({ reason: 'no_such_operation' as const, direction: encoder.text(textWords(cannotText(app))) })),
  ]
  const ours = new Set([...apps.values()].flatMap(({ name, title }) => [asOneWord(name), asOneWord(title)]))
  const byName = new Map(products.flatMap((each) => each.written.filter((name) => !ours.has(name)).map((name) => [name, each] as const)))
  return {
    nothing(prompt, apps) {
      const added = [...apps].some((app) => !learntApps.has(app))
      let best = { cosine: -1, reason: 'out_of_scope' as RefusalReason }
      for (const { reason, direction } of kinds) {
        if (added && reason.startsWith('no_such_')) continue
        const cosine = product(direction, 0, prompt, 0, prompt.length) / SAME_DIRECTION
        if (cosine > best.cosine) best = { cosine, reason }
      }
      return best
    },
    product(prompt) {
      const said = prompt.match(/[\p{L}\p{N}]+/gu) ?? []
      for (let at = 0; at < said.length; at++) {
        for (let count = 1; count <= Math.min(MAX_WORDS, said.length - at); count++) {
          const found = byName.get(asOneWord(said.slice(at, at + count).join('')))
          // The first word of a prompt may have a capital letter for that reason.
          if (found !== undefined && (!found.capital || (at > 0 && /^\p{Lu}/u.test(said[at] as string)))) return found.name
        }
      }
    },
  }
}
