import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { fits } from '../src/arguments/types.ts'
import { fill, openFillables, predictArguments, valuesOf } from './support.ts'

type Case = { readonly function: string; readonly prompt: string; readonly arguments: Readonly<Record<string, unknown>> }

const cases = readCases('prompts.jsonl')
/** The weights were not trained on these. */
const heldOut = readCases('held-out-prompts.jsonl')
const colloquial = readCases('colloquial-prompts.jsonl')
const input = { variables: null, now: new Date('2026-11-23T09:00:00Z'), timeZone: 'UTC' }

let fillable: Awaited<ReturnType<typeof openFillables>>
beforeAll(async () => {
  fillable = await openFillables()
})

function readCases(file: string): Case[] {
  const lines = readFileSync(`packages/predict/test/cases/${file}`, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

function values(name: string, prompt: string): Record<string, unknown> {
  const predicted = predictArguments(fillable(name), { ...input, prompt })
  return Object.fromEntries(Object.entries(predicted).map(([parameter, { value }]) => [parameter, value]))
}

describe('a long prompt', () => {
  const text = { text: { type: 'string' as const, description: 'Text of the message.' } }
  const long = 'a long message, '.repeat(400)

  it('can contain a quote of any length', () => {
    expect(valuesOf(text, `post the text "${long}"`)).toEqual({ text: long.trim().slice(0, -1) })
  })

  it('is searched only in its first 4,000 characters', () => {
    const count = { count: { type: 'integer' as const, description: 'Number of rows.' } }
    expect(valuesOf(count, `list 12 rows ${'. '.repeat(3_000)}`)).toEqual({ count: 12 })
    expect(valuesOf(count, `list rows ${'. '.repeat(3_000)} count 12`)).toEqual({})
  })

  it('contains dates and phone numbers at their places', () => {
    const properties = {
      due_date: { type: 'string' as const, format: 'date', description: 'When it is due.' },
      phone: { type: 'string' as const, description: 'Phone number.' },
    }
    const prompt = `add a task. ${'It is of some importance. '.repeat(40)}It is due on June 3, 2027, phone +1 202 555 0143.`
    const originOf = (text: string) => ({ from: 'prompt', span: [prompt.indexOf(text), prompt.indexOf(text) + text.length] })
    expect(fill(properties, prompt)).toMatchObject({
      due_date: { value: '2027-06-03', origin: originOf('June 3, 2027') },
      phone: { value: '+1 202 555 0143', origin: originOf('+1 202 555 0143') },
    })
  })
})

describe('predictArguments, for labelled prompts over the built-in apps,', () => {
  it.each([
    ['the prompts that it was trained on', cases, 0.85],
    ['held-out prompts', heldOut, 0.8],
    ['held-out colloquial prompts', colloquial, 0.7],
  ])('predicts all arguments of %s exactly in a sufficient share', (_what, prompts, share) => {
    const right = prompts.filter((each) => isDeepStrictEqual(values(each.function, each.prompt), each.arguments))
    expect(right.length).toBeGreaterThanOrEqual(share * prompts.length)
  })

  it.each(cases)('returns valid values with a span and a confidence: $prompt', ({ function: name, prompt }) => {
    const { check, required } = fillable(name)
    for (const [parameter, { value, origin, confidence }] of Object.entries(predictArguments(fillable(name), { ...input, prompt }))) {
      expect(fits(check, parameter, structuredClone(value))).toBe(true)
      expect(confidence).toBeGreaterThan(0)
      expect(confidence).toBeLessThanOrEqual(1)
      if (origin.from === 'default') expect(required).toContain(parameter)
      else expect(origin).toEqual({ from: 'prompt', span: [expect.any(Number), expect.any(Number)] })
      if (origin.from !== 'prompt') continue
      const [start, end] = origin.span
      expect(start).toBeLessThan(end)
      expect(end).toBeLessThanOrEqual(prompt.length)
      expect(start).toBeGreaterThanOrEqual(0)
    }
  })

  it('returns the same result when called again', () => {
    const both = [0, 1].map(() => cases.map(({ function: name, prompt }) => predictArguments(fillable(name), { ...input, prompt })))
    expect(both[0]).toEqual(both[1])
  })
})

describe('predictArguments, for unusual prompts,', () => {
  it.each([
    ['another script', '予定を作成してください「会議」明日15時'],
    ['a script written from right to left', 'أنشئ حدثًا غدًا الساعة ٣'],
    ['only symbols', '🙂 … ??? {}[]"\'`'],
    ['half a surrogate pair', '\ud83d "x'],
    ['an empty quote', 'create an event ""'],
    ['one long word', 'x'.repeat(10_000)],
    ['many numbers', '1 '.repeat(5_000)],
    ['many quotes', '"'.repeat(10_000)],
    ['many dates', 'on April 15 at 3pm with Ada Lovelace '.repeat(270)],
    ['many hyphens', 'a-'.repeat(5_000)],
  ])('returns only valid values: %s', (_what, prompt) => {
    const { check } = fillable('google-calendar-create-event')
    for (const [parameter, value] of Object.entries(values('google-calendar-create-event', prompt))) {
      expect(fits(check, parameter, value)).toBe(true)
    }
  })
})
