import type { Call, ImitatedResponse, Imitation } from './imitation.ts'
import { AppProblem, contains, daysBefore, findBy, given, need, searchTerms } from './imitation.ts'

type Repository = ReturnType<typeof repository>
type Item = ReturnType<typeof newItem>
type Comment = { readonly id: number; readonly user: string; readonly body: string; readonly created_at: string }
type Pull = { readonly head: string; readonly base: string; readonly draft: boolean; merged_at: string | null }
type Store = { next: number; readonly repositories: Repository[]; readonly items: Item[] }
type InRepository = { readonly owner: string; readonly repo: string }
type OfIssue = InRepository & { readonly issue_number: number }
type OfPull = InRepository & { readonly pull_number: number }

const ME = { login: 'joe-example', id: 1001, type: 'User' }

function repository(id: number, owner: string, name: string, description: string, language: string, stars: number, pushed: Date) {
  const names = { id, name, full_name: `${owner}/${name}`, html_url: `https://github.example.com/${owner}/${name}`, description, language }
  const owned = { owner: { login: owner, type: owner === ME.login ? 'User' : 'Organization' }, private: stars === 0 }
  const state = { archived: false, fork: false, pushed_at: pushed.toISOString(), default_branch: 'main', branches: ['main', 'next'] }
  return { ...names, ...owned, ...state, stargazers_count: stars, forks: Math.floor(stars / 4) }
}

/** Issues, and pull requests with the branch of their changes. */
const ITEMS: readonly [repo: string, user: string, title: string, body: string, label: string, branch?: string][] = [
  ['web', 'ada-ashgrove', 'The login page is blank in private windows', 'The console says that storage is not available.', 'bug'],
  ['web', 'priya-iversand', 'Add a dark theme', 'Several customers asked for it.', 'enhancement'],
  ['web', 'ada-ashgrove', 'Search is slow with many projects', 'It takes 4 seconds with 900 projects.', 'bug'],
  ['web', ME.login, 'Document the keyboard shortcuts', 'They are only in the code.', 'documentation'],
  ['api', 'bruno-belmondez', 'Memory leak in the import of CSV files', 'The process grows by 80 MB for each import.', 'bug'],
  ['api', 'priya-iversand', 'Return 429 when a rate limit is reached', 'It is 503 now.', 'enhancement'],
  ['web', 'bruno-belmondez', 'Keep the session in a cookie', 'Private windows have no storage.', 'bug', 'session-cookie'],
  ['web', 'priya-iversand', 'Dark theme, first part', 'It has the colours.', 'enhancement', 'dark-theme'],
  ['api', 'bruno-belmondez', 'Read CSV files as a stream', 'So the memory stays constant.', 'bug', 'stream-csv'],
]

function seed(now: Date): Store {
  const ago = (days: number) => daysBefore(now, days)
  const repositories = [
    repository(1, 'example-org', 'web', 'The web application', 'TypeScript', 42, ago(1)),
    repository(2, 'example-org', 'api', 'The HTTP API', 'Go', 17, ago(2)),
    repository(3, 'example-org', 'infrastructure', 'Deployment of all services', 'Shell', 0, ago(9)),
    repository(4, ME.login, 'notes', 'Notes and small scripts', 'Python', 3, ago(20)),
  ]
  const store: Store = { next: 5_000, repositories, items: [] }
  for (const [index, [repo, user, title, body, label, head]] of ITEMS.entries()) {
    const pull = head === undefined ? undefined : { head, base: 'main', draft: false, merged_at: null }
    addItem(store, `example-org/${repo}`, { title, body, labels: [label], user, pull }, ago(30 - 3 * index))
    if (head !== undefined) findBy(repositories, { name: repo })?.branches.push(head)
  }
  const done = addItem(store, 'example-org/web', { title: 'Sign-up accepts addresses without a domain', labels: ['bug'] }, ago(15))
  close(done, 'completed', ago(4))
  return store
}

/** Returns an issue, or a pull request once it has `pull`. */
function newItem(id: number, number: number, repo: string, time: string) {
  const none = null as string | null
  const written = { title: '', body: none, user: ME.login, assignees: [] as string[], labels: [] as string[], comments: [] as Comment[] }
  const state = { state: 'open', state_reason: none, created_at: time, updated_at: time, closed_at: none }
  return { id, number, repo, ...written, ...state, pull: undefined as Pull | undefined }
}

function addItem(store: Store, repo: string, fields: Partial<Item>, now: Date): Item {
  const number = store.items.filter((each) => each.repo === repo).length + 1
  const item = { ...newItem(store.next++, number, repo, now.toISOString()), ...given(fields) }
  store.items.push(item)
  return item
}

function close(item: Item, reason: string | null, now: Date): void {
  Object.assign(item, { state: 'closed', state_reason: reason, closed_at: now.toISOString(), updated_at: now.toISOString() })
}

const notFound = () => new AppProblem(404, 'not_found', 'Not Found')
const invalid = (message: string) => new AppProblem(422, 'invalid', `Validation Failed: ${message}`)

function repositoryOf(store: Store, { owner, repo }: InRepository): Repository {
  return need(findBy(store.repositories, { full_name: `${owner}/${repo}` }), notFound())
}

const isPull = ({ pull }: Item) => pull !== undefined
const person = (login: string) => ({ login, type: 'User' })

function findItem(store: Store, at: InRepository, number: number): Item {
  return need(findBy(store.items, { repo: repositoryOf(store, at).full_name, number }), notFound())
}

function findPull(store: Store, args: OfPull) {
  const item = findItem(store, args, args.pull_number)
  return { item, pull: need(item.pull, notFound()) }
}

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
  const merged_by = merged_at === null ? null : person(ME.login)
  const merged = { merged: merged_at !== null, merged_at, merged_by, mergeable: item.state === 'open' }
  const branches = { head: { ref: head, sha: shaOf(item.repo + head) }, base: { ref: base, sha: shaOf(item.repo + base) } }
  return { ...shownItem(item), draft, ...merged, ...branches, commits: 1, changed_files: 2, additions: 24, deletions: 7 }
}

/** Returns 40 hex digits that depend on a text. */
const shaOf = (text: string) => Buffer.from(text).toString('hex').padEnd(40, '0').slice(-40)

function shownRepository(store: Store, { branches: _branches, ...rest }: Repository) {
  return { ...rest, open_issues_count: store.items.filter(({ repo, state }) => repo === rest.full_name && state === 'open').length }
}

/** Sorts the newest first, as GitHub does by default. */
function sorted<T>(items: readonly T[], by: (item: T) => string | number, order = 'desc'): T[] {
  const all = [...items].sort((a, b) => (by(a) < by(b) ? -1 : Number(by(a) > by(b))))
  return order === 'asc' ? all : all.reverse()
}

const sortKey = (sort?: string) => (item: Item) => (sort === 'updated' ? item.updated_at : item.created_at)

type Filter = InRepository & { state?: string; labels?: string[]; assignee?: string; since?: string; sort?: string; base?: string }

/** Returns the issues and pull requests of a repository that match. */
function itemsOf(store: Store, args: Filter): Item[] {
  const [{ full_name }, { state = 'open', labels = [], assignee, since = '', base }] = [repositoryOf(store, args), args]
  const assigned = ({ assignees }: Item) => {
    if (assignee === undefined) return true
    return assignee === 'none' || assignee === '*' ? assignees.length > 0 === (assignee === '*') : assignees.includes(assignee)
  }
  const found = store.items
    .filter((item) => item.repo === full_name && (state === 'all' || item.state === state) && item.updated_at >= since)
    .filter((item) => labels.every((label) => item.labels.includes(label)) && (base === undefined || item.pull?.base === base))
  return sorted(found.filter(assigned), sortKey(args.sort))
}

type Search = { query: string; sort?: string; order?: string }

function matchesTerm(item: Item, key: string, value: string): boolean {
  if (value === 'pr' || value === 'issue') return (value === 'pr') === isPull(item)
  if (value === 'merged') return Boolean(item.pull?.merged_at)
  const login = value.replace('@me', ME.login)
  if (key === 'is' || key === 'state') return item.state === value
  if (key === 'repo' || key === 'org' || key === 'user') return item.repo === value || item.repo.startsWith(`${value}/`)
  if (key === 'author') return item.user === login
  if (key === 'assignee') return item.assignees.includes(login)
  return key === 'label' ? item.labels.includes(value) : contains(`${item.title} ${item.body ?? ''}`, value)
}

function searchIssues({ store, args: { query, sort, order } }: Call<Store, Search>): ImitatedResponse {
  const terms = searchTerms(query)
  const found = store.items.filter((item) => terms.every(({ key, value, not }) => matchesTerm(item, key, value) !== not))
  return foundItems(sorted(found, sortKey(sort), order).map(shownIssue))
}

const foundItems = (list: readonly unknown[]): ImitatedResponse => ({ list, body: { total_count: list.length, incomplete_results: false } })

function searchRepositories({ store, args }: Call<Store, Search>): ImitatedResponse {
  const terms = searchTerms(args.query)
  const found = store.repositories.filter((each) =>
    terms.every(({ key, value }) => {
      if (key === 'stars') return each.stargazers_count >= Number(value.replace(/\D/g, ''))
      const text = key === 'language' ? each.language : key === '' ? `${each.full_name} ${each.description}` : each.owner.login
      return contains(text, value)
    }),
  )
  return foundItems(sorted(found, (each) => each.stargazers_count, args.order).map((each) => shownRepository(store, each)))
}

type Written = { title?: string; body?: string; labels?: string[]; assignees?: string[] }

function createIssue({ store, args: { owner, repo, ...written }, now }: Call<Store, InRepository & Written>): ImitatedResponse {
  if (written.title?.trim() === '') throw invalid('title must not be blank')
  return { status: 201, body: shownIssue(addItem(store, repositoryOf(store, { owner, repo }).full_name, written, now)) }
}

function updateIssue({ store, args, now }: Call<Store, OfIssue & Written & { state?: string; state_reason?: string }>): ImitatedResponse {
  const { owner, repo, issue_number, state, state_reason, ...fields } = args
  const item = findItem(store, { owner, repo }, issue_number)
  Object.assign(item, fields, { updated_at: now.toISOString() })
  if (state === 'closed') close(item, state_reason ?? 'completed', now)
  if (state === 'open') Object.assign(item, { state, state_reason: 'reopened', closed_at: null })
  return { body: shownIssue(item) }
}

type NewPull = InRepository & { title: string; head: string; base: string; body?: string; draft?: boolean }

function createPull({ store, args, now }: Call<Store, NewPull>): ImitatedResponse {
  const { title, head, base, body, draft = false } = args
  const { full_name, branches } = repositoryOf(store, args)
  for (const branch of [head, base]) if (!branches.includes(branch)) throw invalid(`there is no branch ${branch}`)
  const open = store.items.filter(({ repo, state }) => repo === full_name && state === 'open')
  if (open.some(({ pull }) => pull?.head === head && pull.base === base)) throw invalid(`A pull request already exists for ${head}.`)
  return { status: 201, body: shownPull(addItem(store, full_name, { title, body, pull: { head, base, draft, merged_at: null } }, now)) }
}

function mergePull({ store, args, now }: Call<Store, OfPull & { sha?: string }>): ImitatedResponse {
  const { item, pull } = findPull(store, args)
  if (item.state !== 'open') throw new AppProblem(405, 'not_mergeable', 'Pull Request is not mergeable')
  if (args.sha !== undefined && args.sha !== shownPull(item).head.sha) throw new AppProblem(409, 'conflict', 'Head branch was modified.')
  pull.merged_at = now.toISOString()
  close(item, null, now)
  return { body: { sha: shaOf(`merged ${item.number}`), merged: true, message: 'Pull Request successfully merged' } }
}

function comment({ store, args, now }: Call<Store, OfIssue & { body: string }>): ImitatedResponse {
  const item = findItem(store, args, args.issue_number)
  const added = { id: store.next++, user: ME.login, body: args.body, created_at: now.toISOString() }
  item.comments.push(added)
  item.updated_at = added.created_at
  return { status: 201, body: { ...added, user: person(ME.login), html_url: `${shownItem(item).html_url}#issuecomment-${added.id}` } }
}

function listRepositories({ store, args }: Call<Store, { visibility?: string; sort?: string }>): ImitatedResponse {
  const { visibility = 'all', sort = 'full_name' } = args
  const seen = store.repositories.filter((each) => visibility === 'all' || each.private === (visibility === 'private'))
  const list = sort === 'full_name' ? sorted(seen, (each) => each.full_name, 'asc') : sorted(seen, (each) => each.pushed_at)
  return { list: list.map((each) => shownRepository(store, each)) }
}

export const github: Imitation<Store> = {
  seed,
  problem: ({ status, message }) => ({
    status,
    body: { message, documentation_url: 'https://docs.github.com/rest', status: String(status) },
  }),
  functions: {
    'get-current-user': () => ({ body: { ...ME, name: 'Joe Miller', email: 'joe@example.com', company: 'Example Ltd' } }),
    'list-repositories': listRepositories,
    'search-repositories': searchRepositories,
    'list-issues': ({ store, args }: Call<Store, Filter>) => ({ list: itemsOf(store, args).map(shownIssue) }),
    'get-issue': ({ store, args }: Call<Store, OfIssue>) => ({ body: shownIssue(findItem(store, args, args.issue_number)) }),
    'create-issue': createIssue,
    'update-issue': updateIssue,
    'comment-on-issue': comment,
    'search-issues': searchIssues,
    'list-pull-requests': ({ store, args }: Call<Store, Filter>) => ({ list: itemsOf(store, args).filter(isPull).map(shownPull) }),
    'get-pull-request': ({ store, args }: Call<Store, OfPull>) => ({ body: shownPull(findPull(store, args).item) }),
    'create-pull-request': createPull,
    'merge-pull-request': mergePull,
    'list-branches': ({ store, args }: Call<Store, InRepository>) => {
      const { full_name, default_branch, branches } = repositoryOf(store, args)
      return { list: branches.map((name) => ({ name, protected: name === default_branch, commit: { sha: shaOf(full_name + name) } })) }
    },
  },
}
