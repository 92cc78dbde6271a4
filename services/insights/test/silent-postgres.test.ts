import { useLink } from './use-insights.ts'

const behind = useLink()
const { insights, workspace } = behind

describe('a connection to Postgres that falls silent', () => {
  it('is answered with 503 in the partner API and in the admin API', async () => {
    const texts = ['"workspace_key"', 'order by "id"']
    const silent = texts.map((text) => behind.link.hold([text], 'request').held)
    const [status, workspaces] = await Promise.all([workspace.status('joe'), insights.admin.get('/admin/workspaces')])
    await Promise.all(silent)
    expect([status, workspaces].map((response) => [response.status, response.body.code])).toEqual([
      [503, 'unavailable'],
      [503, 'unavailable'],
    ])
  })
})
