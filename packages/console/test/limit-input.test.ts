import { readLimit } from '../src/pages/users/limit-input.ts'

it.each([
  ['500', 500],
  [' 0 ', 0],
  ['10,000', 10_000],
  ['1 000 000', 1_000_000],
  ['9007199254740991', 9007199254740991],
])('reads %j as a limit', (text, limit) => {
  expect(readLimit(text)).toBe(limit)
})

it.each(['', '1,5', '1.000', '-5', '1e3', 'many', '10,00', '9007199254740992'])('does not read %j as a limit', (text) => {
  expect(readLimit(text)).toBeUndefined()
})
