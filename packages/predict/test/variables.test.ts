import type { ParameterSchema } from '@onward/catalog'
import type { PredictedArguments, Variables } from '../src/index.ts'
import { fillableOf, predictArguments } from './support.ts'

const PARAMETERS: Readonly<Record<string, ParameterSchema>> = {
  to: { type: 'array', items: { type: 'string' }, description: 'Email addresses of those who get it.' },
  subject: { type: 'string', maxLength: 60, description: 'Subject line.' },
  body: { type: 'string', description: 'Text of the email.' },
  first_name: { type: 'string', description: 'First name.' },
  due: { type: 'string', nullable: true, description: 'Due date.' },
  priority: { type: 'integer', minimum: 1, maximum: 5, description: 'How urgent it is.' },
  contact_id: { type: 'string', description: 'Id of the contact.' },
  metadata: { type: 'object', additionalProperties: true, description: 'Own keys and values.' },
}

const fillable = (required: string[] = ['to', 'body']) =>
  fillableOf({
    title: 'Send email',
    description: 'Sends an email.',
    parameters: { type: 'object', properties: { ...PARAMETERS }, required },
  })

function predict(prompt: string | null, variables: Variables): PredictedArguments {
  return predictArguments(fillable(), { prompt, variables, now: new Date('2026-03-02T09:00:00Z'), timeZone: 'UTC' })
}

const values = (prompt: string | null, variables: Variables) =>
  Object.fromEntries(Object.entries(predict(prompt, variables)).map(([name, { value }]) => [name, value]))

describe('predictArguments, with variables and without a prompt,', () => {
  it.each<[string, Variables, object]>([
    ['the same name', { subject: 'a', priority: 2 }, { subject: '{subject}', priority: '{priority}' }],
    ['a different spelling', { firstName: 'Ada' }, { first_name: '{firstName}' }],
    ['a synonym', { given_name: 'Ada' }, { first_name: '{given_name}' }],
    ['a part of an object', { mail: { subject: 'a' } }, { subject: '{mail.subject}' }],
    ['the path', { contact: { id: 'c1' } }, { contact_id: '{contact.id}' }],
    ['an address of the recipient', { customer: { email: 'ada@example.com' } }, { to: ['{customer.email}'] }],
    ['a list', { to: ['ada@example.com'] }, { to: '{to}' }],
    ['an object', { metadata: { a: 1 } }, { metadata: '{metadata}' }],
    ['the only item of a list', { contacts: [{ first_name: 'Ada' }] }, { first_name: '{contacts.0.first_name}' }],
    ['a name of 200 characters', { [`subject${'_'.repeat(193)}`]: 'a' }, { subject: `{subject${'_'.repeat(193)}}` }],
    ['the valid one of two variables', { priority: 9, ticket: { priority: 3 } }, { priority: '{ticket.priority}' }],
  ])('fills a parameter by %s', (_what, variables, expected) => {
    expect(values(null, variables)).toEqual(expected)
  })

  it.each<[string, Variables]>([
    ['of the wrong type', { priority: 'high', subject: 5, metadata: 'x', contact_id: 7 }],
    ['that are out of range', { priority: 9, subject: 'x'.repeat(61) }],
    ['that are null, also for what may be null', { due: null, subject: null }],
    ['with meaningless names', { x: 'a', foo: { bar: 'b' } }],
    ['whose name cannot be written as a tag', { 'first name': 'Ada', '{subject}': 'a', 'a.b': { subject: 1 } }],
    ['of two persons who could both be meant', { customer: { email: 'a@example.com' }, guest: { email: 'b@example.com' } }],
    ['of a different object', { order: { id: 'o1', title: 'Lamp' }, company: { phone: '+44 1' } }],
    ['with the name of a property that every object has', { constructor: {}, ['__proto__']: {} }],
    ['with names of more than 200 characters', { [`subject${'_'.repeat(194)}`]: 'a' }],
    ['of several items', { contacts: [{ first_name: 'Ada' }, { first_name: 'Joe' }] }],
  ])('ignores variables %s', (_what, variables) => {
    expect(values(null, variables)).toEqual({})
  })

  it('searches a limited number of variables', () => {
    const many = Object.fromEntries(Array.from({ length: 140_000 }, (_, at) => [`x${at}`, 1]))
    expect(values(null, { subject: 'a', ...many, priority: 2 })).toEqual({ subject: '{subject}' })
    expect(values(null, { mail: { subject: 'a', ...many, priority: 2 } })).toEqual({ subject: '{mail.subject}' })
  })

  it('returns the variable as the origin of the value', () => {
    expect(predict(null, { mail: { subject: 'a' } }).subject).toEqual({
      value: '{mail.subject}',
      origin: { from: 'variable', variable: 'mail.subject' },
      confidence: expect.any(Number),
    })
  })

  it('joins a full name from its parts', () => {
    const properties = { name: { type: 'string', description: 'Full name.' } } as const
    const person = fillableOf({ title: 'Create contact', description: '', parameters: { type: 'object', properties, required: ['name'] } })
    const variables = { user: { first_name: 'Ada', last_name: 'Byron' } }
    expect(predictArguments(person, { prompt: null, variables, now: new Date(0), timeZone: 'UTC' })).toEqual({
      name: {
        value: '{user.first_name} {user.last_name}',
        origin: { from: 'variable', variable: 'user.first_name', variables: ['user.first_name', 'user.last_name'] },
        confidence: expect.any(Number),
      },
    })
  })
})

describe('predictArguments, with variables and a prompt,', () => {
  const customer = { email: 'ada@example.com', first_name: 'Ada', id: 'c1' }
  const agent = { email: 'sue@example.com' }

  it.each<[string, Variables, object]>([
    [
      "write to the customer with the subject 'Hi {customer.first_name}'",
      { customer, agent },
      { to: ['{customer.email}'], subject: 'Hi {customer.first_name}' },
    ],
    ["use the agent's email", { customer, agent }, { to: ['{agent.email}'] }],
    ['use the email of the agent', { customer, agent }, { to: ['{agent.email}'] }],
    ['send it to {agent.email}', { customer, agent }, { to: ['{agent.email}'] }],
    ['send it with the deal name as subject', { deal: { name: 'Chairs' } }, { subject: '{deal.name}' }],
    ['send it with the subject {headline}', { headline: 'Chairs' }, { subject: '{headline}' }],
    ["send it with subject 'Order ' followed by the order id", { order: { id: 7 } }, { subject: 'Order {order.id}' }],
    ['send the report', { report: 'All is well.' }, { body: '{report}' }],
  ])('fills parameters from "%s" and %j', (prompt, variables, expected) => {
    expect(values(prompt, variables)).toMatchObject(expected)
  })

  it('returns the span and the variables of a text with tags', () => {
    const prompt = "send it with subject 'Hi {customer.first_name}, welcome'"
    const origin = { from: 'prompt', span: [21, prompt.length], variables: ['customer.first_name'] }
    expect(predict(prompt, { customer })).toMatchObject({ subject: { origin } })
  })

  it.each<[string, string]>([
    ['Use {curly} braces', 'Use {{curly}} braces'],
    ['{{a}} and {b.c}', '{{{{a}}}} and {{b.c}}'],
    ['{ no tag } {1} {}', '{ no tag } {1} {}'],
    ['{customer.first_name} {customer.nothing}', '{customer.first_name} {{customer.nothing}}'],
    ['{constructor} {customer.__proto__}', '{{constructor}} {{customer.__proto__}}'],
  ])('escapes the braces in "%s" so that the call accepts the text', (text, escaped) => {
    expect(values(`send it with subject "${text}"`, { customer })).toMatchObject({ subject: escaped })
  })

  it('leaves out values that are too long with the variables filled in, and tags of unknown variables', () => {
    expect(values("send it with subject 'Hi {x}, welcome'", { x: 'y'.repeat(60) })).not.toHaveProperty('subject')
    expect(values('send it with subject {nobody}', { customer })).not.toHaveProperty('subject')
    expect(values("send it with subject '{nobody}'", { customer })).not.toHaveProperty('subject')
  })

  it('keeps the braces of a prompt when there are no variables', () => {
    const predicted = predictArguments(fillable(), {
      prompt: 'send it with subject "Use {curly} braces"',
      variables: null,
      now: new Date('2026-03-02T09:00:00Z'),
      timeZone: 'UTC',
    })
    expect(predicted).toMatchObject({ subject: { value: 'Use {curly} braces' } })
  })

  it('writes no tag for an object that is too large, but tags for its parts', () => {
    const metadata = { subject: 'a', text: 'x'.repeat(20_000) }
    expect(values(null, { metadata })).toEqual({ subject: '{metadata.subject}' })
    expect(values(null, { metadata: { a: 1 } })).toEqual({ metadata: '{metadata}' })
  })

  it('searches a limited number of variables', () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`name_${at}`, { first_name: 'Ada' }]))
    expect(values(null, { subject: 'a', ...many, contact_id: 'c1' })).toEqual({ subject: '{subject}' })
  })
})
