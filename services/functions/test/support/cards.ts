import type { Functions, TestApp, User } from './support.ts'

/** The token of every account of Cards. */
export const CARD_TOKEN = 'card-token-0123456789'

const parameter = (name: string) => ({ [name]: { type: 'string', description: `The ${name}.` } })

const changing = (title: string, path: string, ...names: string[]) => ({
  title,
  description: `${title}.`,
  type: 'ACTION',
  parameters: { properties: Object.assign({}, ...names.map(parameter)), required: names.slice(0, 1) },
  request: {
    method: 'POST',
    path,
    body: Object.fromEntries(names.filter((name) => !path.includes(name)).map((name) => [name, `{${name}}`])),
  },
})

/** An app whose functions change an object that another one reads. */
const FILE = {
  name: 'cards',
  title: 'Cards',
  description: 'Business cards.',
  base_url: '{account.url}',
  auth: { type: 'bearer' },
  account_settings: { url: { title: 'Server URL', description: 'Where the cards are.' } },
  functions: {
    'get-contact': {
      title: 'Get contact',
      description: 'Reads a contact.',
      type: 'QUERY',
      parameters: { properties: { ...parameter('contact_id'), ...parameter('view') }, required: ['contact_id'] },
      request: { method: 'GET', path: '/contacts/{contact_id}', query: { view: '{view}' } },
    },
    'list-boxes': { title: 'List boxes', description: 'Lists boxes.', type: 'QUERY', request: { method: 'GET', path: '/boxes' } },
    'delete-contact': { ...changing('Delete contact', '/contacts/{contact_id}/delete', 'contact_id'), destructive: true },
    'update-contact': changing('Update contact', '/contacts/{contact_id}', 'contact_id', 'email', 'view'),
    'create-contact': changing('Create contact', '/contacts', 'email'),
    'merge-contact': changing('Merge contact', '/merge', 'first', 'contact_id'),
    'attach-contact': {
      ...changing('Attach contact', '/contacts/{contact_id}/files', 'contact_id', 'box_id', 'note'),
      files: { picture: { description: 'The picture.' } },
      request: {
        method: 'POST',
        path: '/contacts/{contact_id}/files',
        body_type: 'multipart',
        body: { picture: '{picture}', box_id: '{box_id}', note: '{note}' },
      },
      sources: { box_id: { function: 'list-boxes', value: '/id', label: '/title' } },
    },
  },
}

/** Imports the app, and returns a function that makes users with an account of it. */
export async function importCards(onward: Functions): Promise<() => Promise<User>> {
  await onward.admin('put', '/admin/apps/cards', { file: FILE }).expect(200)
  let users = 0
  return async () => {
    const user = onward.user(`carded-${++users}`)
    await user.connect('cards' as TestApp, { token: CARD_TOKEN })
    return user
  }
}
