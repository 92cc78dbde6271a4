import { faultOf } from '../src/parts/call-fault.ts'

it.each([
  ['answered', 404, 'The app refused the request'],
  ['answered', 401, 'The app refused the account'],
  ['answered', 403, 'The app refused the account'],
  ['answered', 429, 'The app limits how often it may be called'],
  ['answered', 503, 'The app failed'],
  ['app_error', 200, 'The app reports an error in its body'],
  ['no_answer', null, 'The app did not answer'],
  ['unreachable', null, 'The app could not be reached'],
  ['unknown', null, 'Onward lost the outcome'],
] as const)('says of the outcome %s with status %p: %s', (outcome, network_code, title) => {
  expect(faultOf({ outcome, network_code })).toMatchObject({ title, help: expect.stringMatching(/\.$/) })
})
