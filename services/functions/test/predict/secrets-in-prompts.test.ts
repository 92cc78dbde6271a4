import { holdsSecret } from '../../src/predict/notes.ts'

// Concatenated, so that secret scanners do not report them.
const PASSED = 'Zx81' + 'kQ9vLm20PaRtWb77'

describe('holdsSecret', () => {
  it.each([
    `log in with sk_${'live'}_${PASSED}`,
    `use ghp_${PASSED} for the repository`,
    `the bot is xoxb-${'1234567890'}-abc`,
    `upload with AKIA${'ABCDEFGHIJKLMNOP'}`,
    `send Authorization: Bearer ${PASSED}`,
    `eyJhbGciOiJI.${PASSED} is it valid`,
    'my password is hunter22, log me in',
    'set the API key to abc123',
    'pin: 4711',
    'connect to postgres://me:word@db.example/x',
    `what is ${PASSED}XY`,
    `rotate ${'0123456789abcdef'.repeat(2)}`,
    'charge 4111 1111 1111 1111 for it',
    'pay to DE89 3704 0044 0532 0130 00',
    '-----BEGIN RSA PRIVATE KEY-----',
  ])('returns true for: %s', (prompt) => {
    expect(holdsSecret(prompt)).toBe(true)
  })

  it.each([
    'open a ticket about the broken printer',
    'send "we are late" to ada@example.com on +49 170 1234567',
    'how do I reset my password?',
    'list the tokens of the project',
    'add the meeting of 2026-11-23T10:00 to the calendar, room 4711',
    'get ticket AB-123 of https://desk.example/tickets/123?view=all',
    'find internationalization guidelines',
    'pin the message in #general',
  ])('returns false for: %s', (prompt) => {
    expect(holdsSecret(prompt)).toBe(false)
  })
})
