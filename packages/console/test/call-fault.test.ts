import { faultOf } from '../src/parts/call-fault.ts'

it.each([
  ['answered', 422, 'The app rejected the request'],
  ['answered', 404, 'The app found nothing to act on'],
  ['answered', 409, 'The app reports a conflict'],
  ['answered', 401, 'The app rejected the account'],
  ['answered', 403, 'The app rejected the account'],
  ['answered', 429, 'The app rate-limited the call'],
  ['answered', 503, 'The app failed'],
  ['app_error', 200, 'The app returned an error'],
  ['no_answer', null, 'The app did not respond'],
  ['unreachable', null, 'The app could not be reached'],
  ['unknown', null, 'The outcome is unknown'],
] as const)('says of the outcome %s with status %p: %s', (outcome, network_code, title) => {
  expect(faultOf({ outcome, network_code })).toMatchObject({ title, help: expect.stringMatching(/\.$/) })
})
