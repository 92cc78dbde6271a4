import { builtInFunction, cloudAccount, workAccount } from './built-in-accounts.ts'
import { build } from './sample-app.ts'

type Args = Readonly<Record<string, unknown>>

const graph = 'https://graph.microsoft.com/v1.0'
const mentions = [{ id: 0, mentionText: 'Ada', mentioned: { user: { id: 'u', displayName: 'Ada' } } }]
const cardId = '6d1f2e0a57c94c1c8a4c3b0f6e0d9b21'

const member = (id: string) => ({
  '@odata.type': '#microsoft.graph.aadUserConversationMember',
  roles: ['owner'],
  'user@odata.bind': `${graph}/users('${id}')`,
})

const card = (content: string) => ({
  body: { contentType: 'html', content: `${content}<attachment id="${cardId}"></attachment>` },
  attachments: [{ id: cardId, contentType: 'application/vnd.microsoft.card.adaptive', content: '{"type": "AdaptiveCard"}' }],
})

/** Requests of the functions that people need after the first ones: [function, arguments, method and URL, body]. */
describe('the deeper functions of the apps for work', () => {
  it.each<[string, Args, string, unknown]>([
    [
      'microsoft-teams create-group-chat',
      { topic: 't', own_user_id: 'a', second_user_id: 'b', third_user_id: 'c' },
      `POST ${graph}/chats`,
      { chatType: 'group', topic: 't', members: [member('a'), member('b'), member('c')] },
    ],
    [
      'microsoft-teams add-chat-member',
      { chat_id: 'h', user_id: 'a@b.c', history_from: '0001-01-01T00:00:00Z' },
      `POST ${graph}/chats/h/members`,
      { ...member('x'), 'user@odata.bind': `${graph}/users/a@b.c`, visibleHistoryStartDateTime: '0001-01-01T00:00:00Z' },
    ],
    [
      'microsoft-teams send-chat-message',
      { chat_id: 'h', content: '<at id="0">Ada</at>', content_type: 'html', mentions },
      `POST ${graph}/chats/h/messages`,
      { body: { contentType: 'html', content: '<at id="0">Ada</at>' }, mentions },
    ],
    [
      'microsoft-teams send-channel-card',
      { team_id: 't', channel_id: 'c', card: '{"type": "AdaptiveCard"}', content: '<b>x</b>' },
      `POST ${graph}/teams/t/channels/c/messages`,
      card('<b>x</b>'),
    ],
    ['microsoft-teams send-chat-card', { chat_id: 'h', card: '{"type": "AdaptiveCard"}' }, `POST ${graph}/chats/h/messages`, card('')],
    [
      'jira add-issues-to-sprint',
      { sprint_id: 61, issues: ['WEB-1', 'WEB-2'] },
      'POST https://acme.atlassian.net/rest/agile/1.0/sprint/61/issue',
      { issues: ['WEB-1', 'WEB-2'] },
    ],
    [
      'jira download-attachment',
      { attachment_id: '5' },
      'GET https://acme.atlassian.net/rest/api/3/attachment/content/5?redirect=false',
      null,
    ],
    [
      'asana create-task',
      { project: '2', name: 'n', custom_fields: { 3: 'High' } },
      'POST https://app.asana.com/api/1.0/tasks',
      { data: { projects: ['2'], name: 'n', custom_fields: { 3: 'High' } } },
    ],
    [
      'asana update-task',
      { task: '1', custom_fields: { 3: 500 } },
      'PUT https://app.asana.com/api/1.0/tasks/1',
      { data: { custom_fields: { 3: 500 } } },
    ],
    [
      'airtable upload-attachment',
      { base_id: 'app1', record_id: 'rec1', field: 'My files', filename: 'a.txt', content_type: 'text/plain', file: 'YQ==' },
      'POST https://content.airtable.com/v0/app1/rec1/My%20files/uploadAttachment',
      { contentType: 'text/plain', filename: 'a.txt', file: 'YQ==' },
    ],
  ])('build the request of %s with %j', (name, args, line, body) => {
    const [app = '', phrase = ''] = name.split(' ')
    const request = build(builtInFunction(app, phrase), args, { ...cloudAccount, ...workAccount(app) })
    expect(`${request.method} ${request.url}`).toBe(line)
    expect(request.body ? JSON.parse(String(request.body)) : null).toEqual(body)
  })

  it('search the messages of Microsoft Teams page by page', () => {
    const fn = builtInFunction('microsoft-teams', 'search-messages')
    const requests = (cursor: number | null) => JSON.parse(String(build(fn, { query: 'q', size: 2 }, cloudAccount, cursor).body)).requests
    expect(requests(null)).toEqual([{ entityTypes: ['chatMessage'], query: { queryString: 'q' }, from: 0, size: 2 }])
    const page = (hits: unknown[], moreResultsAvailable: boolean) => ({ value: [{ hitsContainers: [{ hits, moreResultsAvailable }] }] })
    const { output, cursor } = fn.readResponse(200, page([{ hitId: 'a' }, { hitId: 'b' }], true), null)
    expect([output, cursor]).toEqual([[{ hitId: 'a' }, { hitId: 'b' }], 2])
    expect(requests(2)[0].from).toBe(2)
    expect(fn.readResponse(200, page([{ hitId: 'c' }], false), 2).cursor).toBeNull()
  })

  it('read the custom fields of an Asana project, and where the next page begins', () => {
    const fn = builtInFunction('asana', 'list-custom-fields')
    const data = [{ gid: '1', custom_field: { gid: '3', name: 'Priority', enum_options: [{ gid: '4', name: 'High', enabled: true }] } }]
    expect(fn.readResponse(200, { data, next_page: { offset: 'n' } }, null)).toEqual({ output: data, cursor: 'n' })
    expect(fn.readResponse(200, { data: [], next_page: null }, null)).toEqual({ output: [], cursor: null })
    expect(build(fn, { project: '2' }, workAccount('asana'), 'n').url).toMatch(/\/projects\/2\/custom_field_settings\?.*&offset=n$/)
  })
})
