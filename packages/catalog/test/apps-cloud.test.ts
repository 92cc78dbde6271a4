import { builtInFunction, cloudAccount } from './built-in-accounts.ts'
import { build } from './sample-app.ts'

type Args = Readonly<Record<string, unknown>>

const graph = 'https://graph.microsoft.com/v1.0'
const drive = 'https://www.googleapis.com/drive/v3'

describe('the cloud apps', () => {
  it.each<[string, Args, string, unknown]>([
    ['box search', { query: 'a b', type: 'file' }, 'GET https://api.box.com/2.0/search?query=a%20b&type=file&limit=30', null],
    [
      'box share-file',
      { file_id: '1', access: 'open' },
      'PUT https://api.box.com/2.0/files/1?fields=shared_link',
      { shared_link: { access: 'open' } },
    ],
    [
      'datadog search-logs',
      { query: 'status:error', indexes: ['a', 'b'] },
      'GET https://api.datadoghq.eu/api/v2/logs/events?filter%5Bquery%5D=status%3Aerror&filter%5Bindexes%5D=a%2Cb&sort=-timestamp&page%5Blimit%5D=50',
      null,
    ],
    ['datadog list-monitors', { page_size: 50 }, 'GET https://api.datadoghq.eu/api/v1/monitor?page_size=50&page=0', null],
    [
      'datadog mute-monitor',
      { monitor_id: 7 },
      'POST https://api.datadoghq.eu/api/v2/downtime',
      { data: { type: 'downtime', attributes: { monitor_identifier: { monitor_id: 7 }, scope: '*' } } },
    ],
    ['dropbox get-current-account', {}, 'POST https://api.dropboxapi.com/2/users/get_current_account', null],
    [
      'dropbox search-files',
      { query: 'lease', path: '/Docs' },
      'POST https://api.dropboxapi.com/2/files/search_v2',
      { query: 'lease', options: { path: '/Docs', max_results: 100 } },
    ],
    [
      'github create-pull-request',
      { owner: 'a', repo: 'b', title: 't', head: 'f', base: 'main' },
      'POST https://api.github.com/repos/a/b/pulls',
      { title: 't', head: 'f', base: 'main' },
    ],
    [
      'github merge-pull-request',
      { owner: 'a', repo: 'b', pull_number: 3, merge_method: 'squash' },
      'PUT https://api.github.com/repos/a/b/pulls/3/merge',
      { merge_method: 'squash' },
    ],
    [
      'gitlab list-issues',
      { project_id: 'acme/web', labels: ['a', 'b'] },
      'GET https://gitlab.com/api/v4/projects/acme%2Fweb/issues?labels=a%2Cb&per_page=20',
      null,
    ],
    [
      'gitlab create-issue',
      { project_id: '4', title: 't', labels: ['a'] },
      'POST https://gitlab.com/api/v4/projects/4/issues',
      { title: 't', labels: ['a'] },
    ],
    [
      'gmail list-messages',
      { query: 'is:unread', label_ids: ['INBOX', 'L1'] },
      'GET https://gmail.googleapis.com/gmail/v1/users/me/messages?q=is%3Aunread&labelIds=INBOX&labelIds=L1&maxResults=100',
      null,
    ],
    [
      'gmail change-message-labels',
      { message_id: 'm', remove_label_ids: ['UNREAD'] },
      'POST https://gmail.googleapis.com/gmail/v1/users/me/messages/m/modify',
      { removeLabelIds: ['UNREAD'] },
    ],
    [
      'google-calendar list-events',
      { calendar_id: 'a@b.c', order_by: 'startTime' },
      'GET https://www.googleapis.com/calendar/v3/calendars/a%40b.c/events?singleEvents=true&orderBy=startTime&maxResults=250',
      null,
    ],
    [
      'google-calendar create-event',
      { summary: 's', start_date: '2025-03-11', end_date: '2025-03-12', meet_request_id: 'r' },
      'POST https://www.googleapis.com/calendar/v3/calendars/primary/events?sendUpdates=all&conferenceDataVersion=1',
      {
        summary: 's',
        start: { date: '2025-03-11' },
        end: { date: '2025-03-12' },
        conferenceData: { createRequest: { requestId: 'r', conferenceSolutionKey: { type: 'hangoutsMeet' } } },
      },
    ],
    [
      'google-drive move-file',
      { file_id: 'f', parent_id: 'p', from_parent_id: 'q' },
      `PATCH ${drive}/files/f?addParents=p&removeParents=q&supportsAllDrives=true&fields=id%2Cname%2Cparents`,
      null,
    ],
    [
      'google-drive share-file',
      { file_id: 'f', role: 'writer', email_address: 'a@b.c' },
      `POST ${drive}/files/f/permissions?supportsAllDrives=true`,
      { type: 'user', role: 'writer', emailAddress: 'a@b.c' },
    ],
    [
      'google-sheets append-rows',
      { spreadsheet_id: 's', range: 'My Sheet!A:B', values: [['a', '1']] },
      'POST https://sheets.googleapis.com/v4/spreadsheets/s/values/My%20Sheet!A%3AB:append?valueInputOption=USER_ENTERED&insertDataOption=INSERT_ROWS',
      { values: [['a', '1']] },
    ],
    ['google-sheets get-account', {}, `GET ${drive}/about?fields=user`, null],
    [
      'microsoft-teams send-channel-message',
      { team_id: 't', channel_id: '19:c@thread.tacv2', content: 'hi' },
      `POST ${graph}/teams/t/channels/19%3Ac%40thread.tacv2/messages`,
      { body: { contentType: 'text', content: 'hi' } },
    ],
    ['microsoft-teams list-chats', {}, `GET ${graph}/me/chats?%24top=20&%24expand=members`, null],
    ['onedrive search-items', { query: 'a b' }, `GET ${graph}/me/drive/root/search(q='a%20b')?%24top=200`, null],
    [
      'onedrive create-folder',
      { name: 'n' },
      `POST ${graph}/me/drive/items/root/children`,
      { name: 'n', folder: {}, '@microsoft.graph.conflictBehavior': 'fail' },
    ],
    [
      'outlook-mail send-message',
      { to_recipients: [{ emailAddress: { address: 'a@b.c' } }], subject: 'ü', content: 't' },
      `POST ${graph}/me/sendMail`,
      {
        message: { subject: 'ü', body: { contentType: 'Text', content: 't' }, toRecipients: [{ emailAddress: { address: 'a@b.c' } }] },
        saveToSentItems: true,
      },
    ],
    [
      'outlook-mail move-message',
      { message_id: 'AA=', destination_id: 'archive' },
      `POST ${graph}/me/messages/AA%3D/move`,
      { destinationId: 'archive' },
    ],
    [
      'pagerduty list-incidents',
      { statuses: ['triggered', 'acknowledged'] },
      'GET https://api.pagerduty.com/incidents?statuses%5B%5D=triggered&statuses%5B%5D=acknowledged&limit=25',
      null,
    ],
    [
      'pagerduty create-incident',
      { from: 'a@b.c', title: 't', service_id: 'P1', details: 'd' },
      'POST https://api.pagerduty.com/incidents',
      {
        incident: {
          type: 'incident',
          title: 't',
          service: { id: 'P1', type: 'service_reference' },
          body: { type: 'incident_body', details: 'd' },
        },
      },
    ],
    [
      'sentry list-issues',
      { organization: 'acme', project_ids: ['1', '2'], query: '' },
      'GET https://sentry.io/api/0/organizations/acme/issues/?project=1&project=2&query=&limit=25',
      null,
    ],
    [
      'sentry update-issue',
      { organization: 'acme', issue_id: '9', status: 'resolved', in_release: 'latest' },
      'PUT https://sentry.io/api/0/organizations/acme/issues/9/',
      { status: 'resolved', statusDetails: { inRelease: 'latest' } },
    ],
    ['slack list-replies', { channel: 'C1', ts: '1.20' }, 'GET https://slack.com/api/conversations.replies?channel=C1&ts=1.20', null],
    ['slack open-conversation', { users: 'U1,U2' }, 'POST https://slack.com/api/conversations.open', { users: 'U1,U2', return_im: true }],
  ])('build the request of %s with %j', (name, args, line, body) => {
    const [app = '', phrase = ''] = name.split(' ')
    const request = build(builtInFunction(app, phrase), args, cloudAccount)
    expect(`${request.method} ${request.url}`).toBe(line)
    expect(JSON.parse(String(request.body ?? null))).toEqual(body)
  })
})
