import { copy } from '../src/ui/copy.ts'

describe('copy', () => {
  const never = () => Promise.reject(new Error('not allowed'))

  it.each([
    ['the clipboard', () => Promise.resolve(), false, true, ['clipboard']],
    ['a selection, when the clipboard refuses', never, true, true, ['clipboard', 'selection']],
    ['a selection, when there is no clipboard', undefined, true, true, ['selection']],
    ['nothing, and says so', undefined, false, false, ['selection']],
  ] as const)('copies by %s', async (_, clipboard, selection, expected, tried) => {
    const calls: string[] = []
    const ways = {
      clipboard:
        clipboard &&
        ((text: string) => {
          calls.push('clipboard')
          expect(text).toBe('sk_1')
          return clipboard()
        }),
      selection: () => {
        calls.push('selection')
        return selection
      },
    }
    await expect(copy('sk_1', ways)).resolves.toBe(expected)
    expect(calls).toEqual(tried)
  })
})
