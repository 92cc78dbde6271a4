import { findLabel } from '../src/predict/names/find-label.ts'
import type { NameQuery, Option } from '../src/predict/names/options.ts'
import { foldedWords } from '../src/predict/names/prompt-words.ts'

const WANTED: NameQuery = { nouns: ['channel'], about: ['post'], span: undefined, required: true }

function optionOf(value: unknown, label: string): Option {
  return { value, label, words: foldedWords(label).map(({ text }) => text) }
}

function find(prompt: string, labels: readonly (readonly [unknown, string])[]): unknown {
  return findLabel(prompt, { options: labels.map(([value, label]) => optionOf(value, label)), complete: true }, WANTED)?.option.value
}

describe('a label of several options', () => {
  it.each([
    [
      'has no meaning when they have several values',
      'post to general',
      [
        ['C1', 'general'],
        ['C2', 'general'],
      ],
      undefined,
    ],
    [
      'has none either where it is misspelt',
      'post to the genral channel',
      [
        ['C1', 'general'],
        ['C2', 'general'],
      ],
      undefined,
    ],
    [
      'means what all of them are',
      'post to general',
      [
        ['C1', 'general'],
        ['C1', 'general'],
      ],
      'C1',
    ],
    [
      'means the one that is spelled as in the prompt',
      'post to General',
      [
        ['C1', 'general'],
        ['C2', 'General'],
      ],
      'C2',
    ],
    [
      'has no meaning where that does not tell',
      'post to GENERAL',
      [
        ['C1', 'general'],
        ['C2', 'General'],
      ],
      undefined,
    ],
    [
      'has none where two are spelled so',
      'post to General',
      [
        ['C1', 'General'],
        ['C2', 'General'],
        ['C3', 'general'],
      ],
      undefined,
    ],
    [
      'leaves the longer one alone',
      'post to dev ops',
      [
        ['C1', 'dev'],
        ['C2', 'dev'],
        ['C3', 'Dev-Ops'],
      ],
      'C3',
    ],
    [
      'is not told by another place in the prompt',
      'General: post to channel general',
      [
        ['C1', 'general'],
        ['C2', 'General'],
      ],
      undefined,
    ],
  ] as const)('%s', (_what, prompt, labels, value) => {
    expect(find(prompt, labels)).toBe(value)
  })
})

describe('a thousand options of one label', () => {
  // Counts how often the words of an option are looked at.
  function thousand(idOf: (number: number) => string) {
    const counted = { reads: 0, options: [] as Option[] }
    counted.options = Array.from({ length: 1_000 }, (_, number) => ({
      ...{ value: idOf(number), label: 'general' },
      get words() {
        counted.reads++
        return ['general']
      },
    }))
    return counted
  }

  it.each([
    ['one value', () => 'C1', 'C1'],
    ['a value each', (number: number) => `C${number}`, undefined],
  ] as const)('and %s are not looked at anew at each word of the prompt', (_what, idOf, value) => {
    const counted = thousand(idOf)
    expect(findLabel('to general '.repeat(250), { options: counted.options, complete: true }, WANTED)?.option.value).toBe(value)
    expect(counted.reads).toBeLessThanOrEqual(5_000)
  })
})
