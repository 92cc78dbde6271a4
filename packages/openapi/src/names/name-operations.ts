import { createHash } from 'node:crypto'
import type { Operation } from '../documents/spec.ts'
import { countOf } from '../text.ts'
import { nameById } from './name-by-id.ts'
import { nameByPath } from './name-by-path.ts'
import { type PathWords, pathWords, sharedSegments, singular } from './words.ts'

type Named = { readonly operation: Operation; readonly path: PathWords; readonly words: readonly string[] }

/**
 * Returns the function name of each operation key, without the app's name. Names do not depend on the order of operations. `known` are names
 * from the last import, by operation key; they stay.
 */
export function nameOperations(app: string, operations: readonly Operation[], known: ReadonlyMap<string, string>): Map<string, string> {
  const shared = sharedSegments(operations.map((operation) => operation.path))
  const ids = countOf(operations.flatMap(({ id }) => (id === undefined ? [] : [id])))
  const methodsOf = new Map<string, Set<string>>()
  for (const { method, path } of operations) methodsOf.set(path, (methodsOf.get(path) ?? new Set()).add(method))
  const keys = new Set(operations.map((operation) => operation.key))
  const named = operations.map((operation): Named => {
    const path = pathWords(operation.path, shared)
    // A repeated id identifies no operation.
    const byId = operation.id !== undefined && ids.get(operation.id) === 1 ? nameById(operation.id, app, operation.method, path) : undefined
    return { operation, path, words: byId ?? nameByPath(operation.method, path, methodsOf.get(operation.path) ?? new Set()) }
  })
  const names = new Map([...known].filter(([key]) => keys.has(key)))
  const taken = new Set([...names.values(), 'passthrough-request'])
  const left = named.filter(({ operation }) => !names.has(operation.key))
  for (const words of nameDistinctly(app, left, taken)) {
    names.set(words.key, words.name)
    taken.add(words.name)
  }
  return names
}

type Attempt = (named: Named, group: readonly Named[]) => readonly string[]

/** Ways to tell operations with the same name apart, tried in this order. */
const ATTEMPTS: readonly Attempt[] = [
  ({ words }) => words,
  (named, group) => [...named.words, ...withWord('for', ownWords(named, group))],
  (named, group) => [...named.words, ...withWord('by', named.path.variables.at(-1) ?? []), ...withWord('for', ownWords(named, group))],
  ({ words, operation }) => [...words, ...versionOf(operation.path)],
  ({ words, operation }) => [...words, 'by', operation.method.toLowerCase()],
  ({ words, operation }) => [...words, digits(operation.key)],
]

function nameDistinctly(app: string, all: readonly Named[], taken: ReadonlySet<string>): { key: string; name: string }[] {
  const found: { key: string; name: string }[] = []
  const used = new Set(taken)
  let left = all
  for (const attempt of ATTEMPTS) {
    const groups = groupBy(left, ({ words }) => words.join('-'))
    const tried = left.map((named) => {
      const words = attempt(named, groups.get(named.words.join('-')) ?? [])
      return { named, name: fitName(app, words, named.operation.key) }
    })
    const counts = countOf(tried.map(({ name }) => name))
    const fine = tried.filter(({ name }) => counts.get(name) === 1 && !used.has(name))
    for (const { named, name } of fine) {
      found.push({ key: named.operation.key, name })
      used.add(name)
    }
    const done = new Set(fine.map(({ named }) => named))
    left = left.filter((named) => !done.has(named))
  }
  return [
    ...found,
    ...left.map(({ operation }) => ({ key: operation.key, name: fitName(app, [...splitKey(operation.key)], operation.key) })),
  ]
}

/** Returns the words of the path that are neither in the name nor in the path of every operation with that name. */
function ownWords({ path, words }: Named, group: readonly Named[]): string[] {
  const said = new Set(words.map(singular))
  const own = path.fixed.flat().map(singular)
  return [...new Set(own)].filter(
    (word) =>
      !said.has(word) && !(group.length > 1 && group.every((other) => other.path.fixed.flat().some((each) => singular(each) === word))),
  )
}

function withWord(word: string, words: readonly string[]): string[] {
  return words.length === 0 ? [] : [word, ...words]
}

function versionOf(path: string): string[] {
  const [, version] = /(?:^|\/)(v\d+)(?:\/|$)/.exec(path) ?? []
  return version === undefined ? [] : [version]
}

function splitKey(key: string): string[] {
  return [...key.toLowerCase().split(/[^a-z0-9]+/), digits(key), digits(`${key} `)].filter((word) => word !== '')
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

const MAX_NAME = 64

/** Joins words to a function name. One that is too long is cut after a word and ends with 4 hex digits of the key's hash. */
function fitName(app: string, words: readonly string[], key: string): string {
  const room = MAX_NAME - app.length - 1
  const whole = words.join('-')
  if (whole.length <= room) return whole
  const kept: string[] = []
  for (const word of words) {
    if ([...kept, word].join('-').length > room - 5) break
    kept.push(word)
  }
  return `${kept.length > 0 ? kept.join('-') : whole.slice(0, room - 5).replace(/-+$/, '')}-${digits(key)}`
}

/** 4 hex digits of the hash of an operation key. */
function digits(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 4)
}
