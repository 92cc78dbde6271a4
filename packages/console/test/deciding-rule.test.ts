import type { PolicyRule } from '@onward/contract'
import { decidingRule } from '../src/pages/playground/deciding-rule.ts'

const denied = (fn: string, rules: PolicyRule[], message: string | null = null) => decidingRule(rules, { fn, result: 'deny', message })

it('names a rule by its result and its message', () => {
  const rules: PolicyRule[] = [{ result: 'ask', message: 'No.' }, { result: 'deny' }, { result: 'deny', message: 'No.' }]
  expect(denied('desk-get-ticket', rules, 'No.')).toBe(2)
  expect(denied('desk-get-ticket', rules)).toBe(1)
})

it('leaves out rules for other functions, apps and origins', () => {
  const rules: PolicyRule[] = [
    { result: 'deny', functions: ['desk-list-tickets'] },
    { result: 'deny', apps: ['mail'] },
    { result: 'deny', via: ['mcp'] },
    { result: 'deny', apps: ['desk'] },
  ]
  expect(denied('desk-get-ticket', rules)).toBe(3)
})

it('names no rule if several can have decided', () => {
  expect(denied('desk-get-ticket', [{ result: 'deny', apps: ['desk'] }, { result: 'deny' }])).toBeUndefined()
})

it('counts rules for other functions, and rules that lock arguments, for a pass-through function', () => {
  expect(denied('desk-passthrough-request', [{ result: 'deny', functions: ['desk-get-ticket'] }])).toBe(0)
  const locks: PolicyRule[] = [{ result: 'allow', lock: { team: 'a' } }]
  expect([denied('desk-passthrough-request', locks), denied('desk-get-ticket', locks)]).toEqual([0, undefined])
})
