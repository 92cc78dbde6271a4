import { builtInFunction, businessAccount, cloudAccount, workAccount } from './built-in-accounts.ts'
import { build } from './sample-app.ts'

type Args = Readonly<Record<string, unknown>>

const github = 'https://api.github.com/repos/acme/web'
const repo = { owner: 'acme', repo: 'web' }

/** Requests of the functions that people need after the first ones: [function, arguments, method and URL, body]. */
describe('the deeper functions of the built-in apps', () => {
  it.each<[string, Args, string, unknown]>([
    ['github list-files', repo, `GET ${github}/git/trees/HEAD?recursive=1`, null],
    ['github read-file', { ...repo, path: 'src/a b.ts', ref: 'next' }, `GET ${github}/contents/src%2Fa%20b.ts?ref=next`, null],
    [
      'github write-file',
      { ...repo, path: 'a.md', content: 'é', message: 'm', branch: 'b', sha: 's' },
      `PUT ${github}/contents/a.md`,
      { message: 'm', content: 'w6k=', branch: 'b', sha: 's' },
    ],
    ['github list-commits', { ...repo, sha: 'main', author: 'jo' }, `GET ${github}/commits?sha=main&author=jo&per_page=30`, null],
    ['github create-branch', { ...repo, branch: 'x/y', sha: 's' }, `POST ${github}/git/refs`, { ref: 'refs/heads/x/y', sha: 's' }],
    ['github search-code', { query: 'a repo:b/c' }, 'GET https://api.github.com/search/code?q=a%20repo%3Ab%2Fc&per_page=30', null],
    ['github list-pull-request-files', { ...repo, pull_number: 3 }, `GET ${github}/pulls/3/files?per_page=30`, null],
    [
      'github review-pull-request',
      { ...repo, pull_number: 3, event: 'COMMENT', body: 'b', comments: [{ path: 'a.ts', line: 4, body: 'c' }] },
      `POST ${github}/pulls/3/reviews`,
      { event: 'COMMENT', body: 'b', comments: [{ path: 'a.ts', line: 4, body: 'c' }] },
    ],
    [
      'github request-reviewers',
      { ...repo, pull_number: 3, reviewers: ['jo'] },
      `POST ${github}/pulls/3/requested_reviewers`,
      { reviewers: ['jo'] },
    ],
    ['github list-workflow-runs', { ...repo, status: 'failure' }, `GET ${github}/actions/runs?status=failure&per_page=30`, null],
    [
      'github run-workflow',
      { ...repo, workflow_id: 'deploy.yml', ref: 'main', inputs: { env: 'x' } },
      `POST ${github}/actions/workflows/deploy.yml/dispatches`,
      { ref: 'main', inputs: { env: 'x' } },
    ],
    ['github rerun-failed-jobs', { ...repo, run_id: 7 }, `POST ${github}/actions/runs/7/rerun-failed-jobs`, null],
  ])('build the request of %s with %j', (name, args, line, body) => {
    const [app = '', phrase = ''] = name.split(' ')
    const request = build(builtInFunction(app, phrase), args, { ...businessAccount, ...cloudAccount, ...workAccount(app) })
    expect(`${request.method} ${request.url}`).toBe(line)
    const type = request.headers['content-type'] ?? ''
    expect(type.includes('json') ? JSON.parse(String(request.body)) : (request.body ?? null)).toEqual(body)
  })

  it.each([
    ['read-file', 'application/vnd.github.raw+json'],
    ['get-pull-request-diff', 'application/vnd.github.diff'],
  ])('ask GitHub for text in %s', (phrase, accept) => {
    const request = build(builtInFunction('github', phrase), { ...repo, path: 'a', pull_number: 3 }, cloudAccount)
    expect(request.headers.accept).toBe(accept)
  })
})
