import { type Answer, AppProblem, type Call, containsAll, daysBefore, findBy, given, type Imitation, searchTerms } from './imitation.ts'

type Repository = ReturnType<typeof repository>
/** An issue, or a pull request if it has `pull`. */
type Item = {
  readonly id: number
  readonly number: number
  readonly repo: string
  title: string
  body: string | null
  state: string
  state_reason: string | null
  readonly user: string
  assignees: string[]
  labels: string[]
  readonly comments: { readonly id: number; readonly user: string; readonly body: string; readonly created_at: string }[]
  readonly created_at: string
  updated_at: string
  closed_at: string | null
  readonly pull?: { readonly head: string; readonly base: string; readonly draft: boolean; merged_at: string | null }
}
type Store = { next: number; readonly repositories: Repository[]; readonly branches: Record<string, string[]>; readonly items: Item[] }
type InRepository = { readonly owner: string; readonly repo: string }

const ME = { login: 'joe-example', id: 1001, type: 'User' }
const PEOPLE: readonly string[] = ['joe-example', 'ada-ashgrove', 'bruno-belmondez', 'priya-iversand']

const repository = (id: number, owner: string, name: string, description: string, language: string, stars: number, pushed: Date) => ({
  id,
  name,
  full_name: `${owner}/${name}`,
  owner: { login: owner, type: owner === ME.login ? 'User' : 'Organization' },
  private: stars === 0,
  description,
  html_url: `https://github.example.com/${owner}/${name}`,
  language,
  default_branch: 'main',
  stargazers_count: stars,
  archived: false,
  fork: false,
  forks: Math.floor(stars / 4),
  pushed_at: pushed.toISOString(),
})

const ISSUES: readonly [repo: string, title: string, body: string, author: number, labels: string[], closed?: true][] = [
  ['web', 'The login page is blank in private windows', 'The console says that storage is not available.', 1, ['bug']],
  ['web', 'Add a dark theme', 'Several customers asked for it.', 3, ['enhancement']],
  ['web', 'Sign-up accepts addresses without a domain', 'Typing "ada@" works.', 2, ['bug'], true],
  ['web', 'Search is slow with many projects', 'It takes 4 seconds with 900 projects.', 1, ['bug', 'performance']],
  ['web', 'Document the keyboard shortcuts', 'They are only in the code.', 0, ['documentation']],
  ['api', 'Memory leak in the import of CSV files', 'The process grows by 80 MB for each import.', 2, ['bug']],
  ['api', 'Return 429 when a rate limit is reached', 'It is 503 now.', 3, ['enhancement']],
  ['api', 'The time zone of reports is wrong', 'They use UTC in place of the time zone of the user.', 1, ['bug'], true],
]
const PULLS: readonly [repo: string, title: string, author: number, head: string, merged?: true][] = [
  ['web', 'Keep the session in a cookie', 2, 'session-cookie'],
  ['web', 'Dark theme, first part', 3, 'dark-theme'],
  ['api', 'Read CSV files as a stream', 2, 'stream-csv'],
  ['api', 'Update the dependencies', 0, 'update-dependencies', true],
]

function seed(now: Date): Store {
  const ago = (days: number) => daysBefore(now, days)
  const store: Store = {
    next: 5_000,
    repositories: [
      repository(1, 'example-org', 'web', 'The web application', 'TypeScript', 42, ago(1)),
      repository(2, 'example-org', 'api', 'The HTTP API', 'Go', 17, ago(2)),
      repository(3, 'example-org', 'infrastructure', 'Deployment of all services', 'Shell', 0, ago(9)),
      repository(4, ME.login, 'notes', 'Notes and small scripts', 'Python', 3, ago(20)),
    ],
    branches: { 'example-org/infrastructure': ['main'], [`${ME.login}/notes`]: ['main', 'draft'] },
    items: [],
  }
  for (const { full_name } of store.repositories) {
    store.branches[full_name] ??= ['main', 'next', ...PULLS.filter(([repo]) => full_name === `example-org/${repo}`).map((pull) => pull[3])]
  }
  ISSUES.forEach(([repo, title, body, author, labels, closed], index) => {
    const item = addItem(store, `example-org/${repo}`, { title, body, labels, user: PEOPLE[author] }, ago(30 - 3 * index))
    if (closed) close(item, 'completed', ago(20 - 3 * index))
  })
  PULLS.forEach(([repo, title, author, head, merged], index) => {
    const pull = { head, base: 'main', draft: false, merged_at: merged ? ago(2).toISOString() : null }
    const item = addItem(store, `example-org/${repo}`, { title, user: PEOPLE[author], pull }, ago(6 - index))
    if (merged) close(item, null, ago(2))
  })
  return store
}

function addItem(store: Store, repo: string, fields: Partial<Item> & { title: string }, now: Date): Item {
  const time = now.toISOString()
  const item: Item = {
    id: store.next++,
    number: store.items.filter((each) => each.repo === repo).length + 1,
    repo,
    body: null,
    state: 'open',
    state_reason: null,
    user: ME.login,
    assignees: [],
    labels: [],
    comments: [],
    created_at: time,
    updated_at: time,
    closed_at: null,
    ...fields,
  }
  store.items.push(item)
  return item
}

function close(item: Item, reason: string | null, now: Date): void {
  Object.assign(item, { state: 'closed', state_reason: reason, closed_at: now.toISOString(), updated_at: now.toISOString() })
}

const notFound = () => new AppProblem(404, 'not_found', 'Not Found')
const invalid = (message: string) => new AppProblem(422, 'invalid', `Validation Failed: ${message}`)

function repositoryOf(store: Store, { owner, repo }: InRepository): Repository {
  const name = `${owner}/${repo}`.toLowerCase()
  const found = store.repositories.find(({ full_name }) => full_name.toLowerCase() === name)
  if (found === undefined) throw notFound()
  return found
}

function findItem(store: Store, at: InRepository, number: number, isPull = false): Item {
  const found = findBy(store.items, { repo: repositoryOf(store, at).full_name, number })
  if (found === undefined || (isPull && found.pull === undefined)) throw notFound()
  return found
}

const person = (login: string) => ({ login, type: 'User' })

function shownItem({ repo, user, assignees, labels, comments, pull, ...item }: Item) {
  const html_url = `https://github.example.com/${repo}/${pull ? 'pull' : 'issues'}/${item.number}`
  const people = assignees.map(person)
  const names = labels.map((name) => ({ name }))
  return { ...item, html_url, user: person(user), assignee: people[0] ?? null, assignees: people, labels: names, comments: comments.length }
}

function shownIssue(item: Item) {
  const closed_by = item.state === 'closed' ? person(ME.login) : null
  return { ...shownItem(item), closed_by, ...(item.pull ? { pull_request: { merged_at: item.pull.merged_at } } : {}) }
}

function shownPull(item: Item) {
  const { head = '', base = '', draft = false, merged_at = null } = item.pull ?? {}
  const merged = {
    merged: merged_at !== null,
    merged_at,
    merged_by: merged_at === null ? null : person(ME.login),
    mergeable: item.state === 'open',
  }
  const branches = { head: { ref: head, sha: shaOf(item.repo + head) }, base: { ref: base, sha: shaOf(item.repo + base) } }
  return { ...shownItem(item), draft, ...merged, ...branches, commits: 1, changed_files: 2, additions: 24, deletions: 7 }
}

/** Returns 40 hex digits that depend on a text. */
function shaOf(text: string): string {
  return Buffer.from(text).toString('hex').padEnd(40, '0').slice(-40)
}

function shownRepository(store: Store, each: Repository) {
  return { ...each, open_issues_count: store.items.filter(({ repo, state }) => repo === each.full_name && state === 'open').length }
}

const inState = (state: string) => (item: Item) => state === 'all' || item.state === state

/** Sorts the newest first, as GitHub does by default. */
function sorted<T>(items: readonly T[], by: (item: T) => string | number, order = 'desc'): T[] {
  const all = [...items].sort((a, b) => (by(a) < by(b) ? -1 : Number(by(a) > by(b))))
  return order === 'asc' ? all : all.reverse()
}

function sortKey(sort: string | undefined): (item: Item) => string | number {
  if (sort === 'comments') return ({ comments }) => comments.length
  return sort === 'updated' ? (item) => item.updated_at : (item) => item.id
}

type Filter = InRepository & { state?: string; labels?: string[]; assignee?: string; since?: string; sort?: string; base?: string }

function listIssues({ store, args }: Call<Store, Filter>): Answer {
  const { full_name } = repositoryOf(store, args)
  const { state = 'open', labels = [], assignee, since = '' } = args
  const found = store.items.filter(
    (item) =>
      item.repo === full_name &&
      inState(state)(item) &&
      labels.every((label) => item.labels.includes(label)) &&
      (assignee === undefined ||
        (assignee === 'none'
          ? item.assignees.length === 0
          : assignee === '*'
            ? item.assignees.length > 0
            : item.assignees.includes(assignee))) &&
      item.updated_at >= since,
  )
  return { list: sorted(found, sortKey(args.sort)).map(shownIssue) }
}

type Search = { query: string; sort?: string; order?: string }

function searchIssues({ store, args }: Call<Store, Search>): Answer {
  const matches = (item: Item) =>
    searchTerms(args.query).every(({ key, value, not }) => {
      const holds = () => {
        if (key === 'is' || key === 'type' || key === 'state') {
          if (value === 'pr' || value === 'issue') return (value === 'pr') === (item.pull !== undefined)
          return value === 'merged' ? Boolean(item.pull?.merged_at) : item.state === value
        }
        if (key === 'repo') return item.repo === value
        if (key === 'org' || key === 'user') return item.repo.startsWith(`${value}/`)
        if (key === 'author') return item.user === value.replace('@me', ME.login)
        if (key === 'assignee') return item.assignees.includes(value.replace('@me', ME.login))
        if (key === 'label') return item.labels.includes(value)
        return containsAll(`${item.title} ${item.body ?? ''}`, [value])
      }
      return holds() !== not
    })
  const found = sorted(store.items.filter(matches), sortKey(args.sort), args.order)
  return { list: found.map(shownIssue), body: { total_count: found.length, incomplete_results: false } }
}

function searchRepositories({ store, args }: Call<Store, Search>): Answer {
  const found = store.repositories.filter((each) =>
    searchTerms(args.query).every(({ key, value }) => {
      if (key === 'language') return each.language.toLowerCase() === value.toLowerCase()
      if (key === 'user' || key === 'org') return each.owner.login === value
      if (key === 'stars') return each.stargazers_count >= Number(value.replace(/\D/g, ''))
      return containsAll(`${each.full_name} ${each.description}`, [value])
    }),
  )
  const list = sorted(found, (each) => each.stargazers_count, args.order).map((each) => shownRepository(store, each))
  return { list, body: { total_count: list.length, incomplete_results: false } }
}

type NewIssue = InRepository & { title: string; body?: string; labels?: string[]; assignees?: string[] }

function createIssue({ store, args, now }: Call<Store, NewIssue>): Answer {
  const { owner, repo, title, body, labels, assignees } = args
  if (title.trim() === '') throw invalid('title must not be blank')
  const item = addItem(store, repositoryOf(store, { owner, repo }).full_name, { title, ...given({ body, labels, assignees }) }, now)
  return { status: 201, body: shownIssue(item) }
}

type Change = Partial<NewIssue> & InRepository & { issue_number: number; state?: string; state_reason?: string }

function updateIssue({ store, args, now }: Call<Store, Change>): Answer {
  const { owner, repo, issue_number, state, state_reason, ...fields } = args
  const item = findItem(store, { owner, repo }, issue_number)
  Object.assign(item, fields, { updated_at: now.toISOString() })
  if (state === 'closed') close(item, state_reason ?? 'completed', now)
  if (state === 'open') Object.assign(item, { state, state_reason: 'reopened', closed_at: null })
  return { body: shownIssue(item) }
}

type NewPull = InRepository & { title: string; head: string; base: string; body?: string; draft?: boolean }

function createPull({ store, args, now }: Call<Store, NewPull>): Answer {
  const { title, head, base, body, draft = false } = args
  const { full_name } = repositoryOf(store, args)
  for (const branch of [head, base]) if (!store.branches[full_name]?.includes(branch)) throw invalid(`there is no branch ${branch}`)
  const exists = store.items.some(
    ({ repo, state, pull }) => repo === full_name && state === 'open' && pull?.head === head && pull.base === base,
  )
  if (exists) throw invalid(`A pull request already exists for ${args.owner}:${head}.`)
  const item = addItem(store, full_name, { title, pull: { head, base, draft, merged_at: null }, ...given({ body }) }, now)
  return { status: 201, body: shownPull(item) }
}

export const github: Imitation<Store> = {
  seed,
  problem: ({ status, message }) => ({
    status,
    body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
  }),
  functions: {
    'get-current-user': () => ({ body: { ...ME, name: 'Joe Miller', email: 'joe@example.com', company: 'Example Ltd' } }),
    'list-repositories': ({ store, args }: Call<Store, { visibility?: string; sort?: string }>) => {
      const { visibility = 'all', sort } = args
      const seen = store.repositories.filter((each) => visibility === 'all' || each.private === (visibility === 'private'))
      const list =
        sort === undefined || sort === 'full_name' ? sorted(seen, (each) => each.full_name, 'asc') : sorted(seen, (each) => each.pushed_at)
      return { list: list.map((each) => shownRepository(store, each)) }
    },
    'search-repositories': searchRepositories,
    'list-issues': listIssues,
    'get-issue': ({ store, args }: Call<Store, InRepository & { issue_number: number }>) => ({
      body: shownIssue(findItem(store, args, args.issue_number)),
    }),
    'create-issue': createIssue,
    'update-issue': updateIssue,
    'comment-on-issue': ({ store, args, now }: Call<Store, InRepository & { issue_number: number; body: string }>) => {
      const item = findItem(store, args, args.issue_number)
      const comment = { id: store.next++, user: ME.login, body: args.body, created_at: now.toISOString() }
      item.comments.push(comment)
      item.updated_at = comment.created_at
      const html_url = `${shownIssue(item).html_url}#issuecomment-${comment.id}`
      return { status: 201, body: { ...comment, user: person(ME.login), html_url } }
    },
    'list-pull-requests': ({ store, args }: Call<Store, Filter>) => {
      const { full_name } = repositoryOf(store, args)
      const { state = 'open', base } = args
      const found = store.items.filter(
        (item) => item.repo === full_name && item.pull && inState(state)(item) && (!base || item.pull.base === base),
      )
      return { list: sorted(found, sortKey(args.sort)).map(shownPull) }
    },
    'search-issues': searchIssues,
    'get-pull-request': ({ store, args }: Call<Store, InRepository & { pull_number: number }>) => ({
      body: shownPull(findItem(store, args, args.pull_number, true)),
    }),
    'create-pull-request': createPull,
    'merge-pull-request': ({ store, args, now }: Call<Store, InRepository & { pull_number: number; sha?: string }>) => {
      const item = findItem(store, args, args.pull_number, true)
      const { head } = shownPull(item)
      if (item.pull === undefined || item.state !== 'open') throw new AppProblem(405, 'not_mergeable', 'Pull Request is not mergeable')
      if (args.sha !== undefined && args.sha !== head.sha)
        throw new AppProblem(409, 'conflict', 'Head branch was modified. Review and try the merge again.')
      item.pull.merged_at = now.toISOString()
      close(item, null, now)
      return { body: { sha: shaOf(`merged ${item.number}`), merged: true, message: 'Pull Request successfully merged' } }
    },
    'list-branches': ({ store, args }: Call<Store, InRepository>) => {
      const { full_name, default_branch } = repositoryOf(store, args)
      const names = store.branches[full_name] ?? []
      return { list: names.map((name) => ({ name, protected: name === default_branch, commit: { sha: shaOf(full_name + name) } })) }
    },
  },
}
