"""The objects of Onward's API, with the names that they have on the wire. Newer servers may add fields and values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, TypedDict, Union

from ._request import RequestOptions

#: Values for the `{tags}` in arguments.
Variables = Mapping[str, Any]


class ConnectedAccount(TypedDict):
    id: int
    display_name: str
    modified_at: str
    status: Literal["active", "expired", "reconnect_required"]
    #: Why the status is not `active`.
    last_error: Optional[str]


class OwnAccount(ConnectedAccount):
    """An account in the list of a user's accounts."""

    app: str
    #: Whether calls of the app use this account if they name none.
    is_default: bool


class ConnectSession(TypedDict):
    """A link that works in the first browser that opens it."""

    url: str
    #: The time until which it must be opened.
    expires_at: str


class _App(TypedDict):
    id: int
    name: str
    title: str
    icon_url: str
    docs_url: str
    #: A page on which the user connects an account. It is valid for 30 minutes.
    login_url: str
    allow_multiple_connected_accounts: bool


class App(_App, total=False):
    connected_accounts: List[ConnectedAccount]


class AppWithAccounts(_App):
    connected_accounts: List[ConnectedAccount]


#: A QUERY reads, an ACTION changes something, and a PASSTHROUGH sends any request to the app.
FunctionType = Union[Literal["QUERY", "ACTION", "PASSTHROUGH"], str]


class Parameters(TypedDict):
    """The parameters of a function, as a JSON Schema."""

    type: Literal["object"]
    properties: Dict[str, Dict[str, Any]]
    required: List[str]


class _FunctionItem(TypedDict):
    name: str
    title: str
    app: str
    type: FunctionType
    description: str
    parameters: Parameters


class FunctionItem(_FunctionItem, total=False):
    #: The arguments that were found in the prompt or among the variables.
    arguments: Dict[str, Any]
    #: What a form needs to show the function. Present if it was asked for.
    meta: Dict[str, Any]


class PredictedFunction(FunctionItem):
    #: The estimated probability, from 0 to 1, that this is the function that the prompt asks for.
    confidence: float


#: The place where the next page of an app's own list begins. Its form depends on the app.
CallCursor = Union[str, int, float, Dict[str, Any]]


class DryRunOptions(RequestOptions, total=False):
    """Keyword arguments of `dry_run`."""

    #: Which of the user's accounts of the app to use. By default the user's default account.
    connected_account_id: Optional[int]
    variables: Optional[Variables]
    #: The `cursor` of an earlier result, for the next page. Pass the same arguments.
    cursor: Optional[CallCursor]
    #: The parts of the output to return, such as `items.id`. A path goes through every item of a list.
    fields: Optional[Sequence[str]]


class CallOptions(DryRunOptions, total=False):
    """Keyword arguments of the methods that call a function."""

    #: The call is executed at most once per key. By default each call gets a new key, which makes its retries safe.
    idempotency_key: Optional[str]


class _RefusedAccount(TypedDict):
    status: Literal["expired", "reconnect_required"]


class RefusedAccount(_RefusedAccount, total=False):
    """An account whose credentials the app refused. The user connects it again at `login_url`."""

    login_url: str


@dataclass(frozen=True)
class CallResult:
    """The result of a call that was executed."""

    #: The body of the app's response.
    output: Any
    #: The status of the app's response.
    network_code: int
    #: Whether the app did what was asked: its status is 2xx, and its body reports no error.
    ok: bool
    #: Whether the app reported an error in a response with a 2xx status.
    app_error: bool
    #: None if there is no further page, or if the function has no pages.
    cursor: Optional[CallCursor]
    #: Why there is no `cursor`, although the app announces or may have a further page.
    next_page_problem: Optional[str]
    #: The seconds after which the app wants the next request.
    retry_after: Optional[int]
    #: The header `Location` of the app's response.
    location: Optional[str]
    #: The `fields` of the call that are not in the output of the app.
    fields_missing: Sequence[str]
    #: Present if the app refused the credentials of the account, and Onward cannot renew them.
    refused_account: Optional[RefusedAccount]
    #: After a 403 of the app: the scopes that the function needs. Each item is enough, with all of its scopes.
    needed_scopes: Optional[Sequence[Sequence[str]]]
    #: The call in the calls log.
    call_id: Optional[str]
    #: Whether this is the stored result of an earlier request with the same idempotency key.
    replayed: bool


class DryRunRequest(TypedDict):
    method: str
    url: str
    headers: Dict[str, str]
    body: Optional[str]


class PolicyVerdict(TypedDict):
    result: Union[Literal["allow", "deny"], str]
    message: Optional[str]


class DryRun(TypedDict):
    """What a call would send. Secrets of the account appear as `[redacted]`, and the content of a file as `<file>`."""

    dry_run: Literal[True]
    request: DryRunRequest
    #: The account that the call would use; None if the app needs none.
    account_id: Optional[int]
    #: What the rules of the application say about the call.
    policy: PolicyVerdict


class _BatchCall(TypedDict):
    function_name: str


class BatchCall(_BatchCall, total=False):
    """One call of a batch."""

    arguments: Mapping[str, Any]
    connected_account_id: int
    #: Values for the `{tags}` in the arguments.
    _variables: Variables
    #: The `cursor` of an earlier result, for the next page.
    _cursor: CallCursor
    #: The parts of the output to return, such as `items.id`.
    _fields: Sequence[str]
    #: The call is executed at most once per key.
    idempotency_key: str


@dataclass(frozen=True)
class BatchResult:
    """What became of one call of a batch: either `result` or `error` is None."""

    result: Optional[CallResult]
    #: The body of the error, with `error`, `error_details` and `code`.
    error: Optional[Mapping[str, Any]]
    #: The status that a single call would have.
    status: int
    #: The call in the calls log. None if it was not executed.
    call_id: Optional[str]
    replayed: bool
    #: The seconds after which the call can be repeated.
    retry_after: Optional[int]


CallOutcome = Union[Literal["answered", "app_error", "no_answer", "unreachable", "unknown"], str]


class _LoggedCall(TypedDict):
    id: str
    function_name: str
    function_version: str
    app: str
    connected_account_id: Optional[int]
    outcome: CallOutcome
    network_code: Optional[int]
    started_at: str
    duration_ms: Optional[float]


class LoggedCall(_LoggedCall, total=False):
    """A row of the calls log."""

    #: Present if Onward itself called the function to find an id; this is not a task.
    internal: Literal[True]
    #: Present for a call of an MCP client: `mcp`, or `mcp:` and the client's name.
    via: str
    #: Present for a single call: whether its bodies are stored. `not_kept`: the deployment does not store them; `over_quota`: the
    #: application had stored 1 GiB on that day (UTC).
    bodies: Union[Literal["kept", "not_kept", "over_quota"], str]
    #: Present for a single call whose bodies are stored.
    arguments: Any
    output: Any
    #: Present if a body has more than 65,536 characters of JSON: their number, by `arguments` or `output`. The body is then a
    #: string, the first 32,768 of them.
    cut: Dict[str, int]


#: `direct`: a tool for each function that the user can call. `search`: six tools that find and call functions.
McpMode = Union[Literal["direct", "search"], str]


class McpTokenClient(TypedDict):
    """An OAuth client that a user allowed on the sign-in pages, and the host that the user was sent back to."""

    id: str
    redirect_host: str


class ApprovalAccount(TypedDict):
    id: int
    display_name: str


class ApprovalRequest(TypedDict):
    """The request that a call would send, without secrets."""

    method: str
    url: str
    headers: Dict[str, str]
    body: Optional[str]


class ApprovalFile(TypedDict):
    """A file of a call. `size` is in bytes."""

    parameter: str
    name: str
    content_type: str
    size: int
    sha256: str


class ApprovalToken(TypedDict):
    id: str
    #: Empty once the token has ended.
    name: str
    #: The host that the user was sent back to; None without a sign-in.
    redirect_host: Optional[str]


class Approval(TypedDict):
    """The approval of one call."""

    id: str
    #: `pending`, `approved`, `refused` or `used`.
    state: str
    user_id: str
    app: str
    function_name: str
    function_title: str
    #: None if the app needs no account.
    account: Optional[ApprovalAccount]
    request: ApprovalRequest
    #: How many characters of the body are not shown.
    hidden_characters: int
    #: If what the URL of a file returns has changed, the call asks again.
    files: List[ApprovalFile]
    #: Where the call came from; None for the API. After `mcp:` comes the name that the program gives itself.
    via: Optional[str]
    #: The MCP token or grant that the call was made with; None for none.
    token: Optional[ApprovalToken]
    #: The text of the rule that asks.
    message: Optional[str]
    created_at: str
    expires_at: str
    decided_at: Optional[str]
    #: `user`, `application` or `member`.
    decided_by: Optional[str]
    reason: Optional[str]
    #: The call that used the approval.
    call_id: Optional[str]


class NamedId(TypedDict):
    id: str
    #: None if the name is not known.
    name: Optional[str]


class NamedIds(TypedDict):
    """The names of the ids in an argument. `more` is the number of ids that were not looked up."""

    parameter: str
    title: str
    ids: List[NamedId]
    more: int


class ObjectField(TypedDict):
    name: str
    value: str


class PresentObject(TypedDict):
    """What a call would change or delete, as it is now."""

    function_name: str
    function_title: str
    fields: List[ObjectField]
    #: How many fields are left out.
    more: int
    #: Why it could not be read.
    problem: Optional[str]


class ApprovalWithBackground(Approval):
    """An approval, with what was read from the user's app to help with the decision. Nothing is read after the decision."""

    ids: List[NamedIds]
    #: None if no function of the app reads what the call would change.
    now: Optional[PresentObject]


class PolicyRule(TypedDict, total=False):
    """A rule for calls. It matches a call if all its conditions do."""

    apps: List[str]
    functions: List[str]
    types: List[str]
    destructive: bool
    #: `api`, `console` or `mcp`.
    via: List[str]
    #: A JSON Schema of the arguments.
    arguments: Dict[str, Any]
    #: Values for arguments of `functions`, which callers neither see nor send.
    lock: Dict[str, Any]
    #: `allow`, `ask` or `deny`. Required.
    result: str
    message: str


class McpToken(TypedDict):
    """A token of MCP clients, without its secret."""

    id: str
    name: str
    mode: McpMode
    #: None if the token allows all.
    apps: Optional[List[str]]
    functions: Optional[List[str]]
    read_only: bool
    #: Rules for calls, beside those of the application.
    rules: List[PolicyRule]
    output_chars: int
    #: `application`, or the role of the member who made the token at the console.
    role: str
    #: None for a token of `create_token`.
    client: Optional[McpTokenClient]
    created_at: str
    expires_at: str
    #: Exact to a minute; None if it was never used.
    last_used_at: Optional[str]


class McpSignInLink(TypedDict):
    """A link with which a user signs in to one browser."""

    url: str
    #: The time until which it must be opened.
    expires_at: str
    #: The MCP URL of the application, which the user adds to a program.
    mcp_url: str


class ApprovedMcpSignIn(TypedDict):
    #: Where to redirect the browser. It works once, and only in the browser that began.
    url: str
    expires_at: str
    #: The name of the program that asks for access.
    client: str
    #: The host to which the browser returns at the end.
    redirect_host: str


class McpSettings(TypedDict):
    """What three MCP clients need: a command, and the contents of two settings files."""

    claude_code: str
    cursor: Dict[str, Any]
    vscode: Dict[str, Any]


class CreatedMcpToken(TypedDict):
    id: str
    #: Store it: it is shown only once.
    token: str
    #: The address of the MCP server.
    url: str
    role: str
    expires_at: str
    #: How many tools the token offers now.
    tools: int
    settings: McpSettings


class TaskStatus(TypedDict):
    """The tasks of one user in the current period."""

    user_id: str
    current_limit: int
    #: The length of the period in days, as text.
    limit_period: str
    tasks_consumed: int
    tasks_remaining: int
    #: Days until the period ends, rounded up.
    limit_reset_after: int


class TaskStatusWithPercents(TaskStatus):
    tasks_consumed_percent: float
    tasks_remaining_percent: float


class _UserEvent(TypedDict):
    #: The same for every subscription that receives the event.
    event_id: str
    user_id: str
    occurred_at: str


class AccountEvent(_UserEvent):
    """The body of the webhooks `account_connected`, `account_disconnected` and `account_reconnect_required`."""

    app: str
    connected_account_id: int


class ApprovalRequested(_UserEvent):
    """The body of the webhook `approval_requested`."""

    approval_id: str
    function_name: str
    app: str
    expires_at: str


class ApprovalDecided(_UserEvent):
    """The body of the webhook `approval_decided`."""

    approval_id: str
    function_name: str
    app: str
    result: Literal["approved", "refused"]
    decided_by: Literal["user", "member", "application"]


class LimitChanged(TypedDict):
    """The body of the webhook `limit_changed`."""

    event_id: str
    #: None for all existing users of all applications of the workspace.
    user_id: Optional[str]
    occurred_at: str
    current_limit: int
    #: None for a user who did not exist, and for all existing users.
    previous_limit: Optional[int]


#: A user has reached a level of the limit. Spelled out, because no type describes all texts of this form.
LevelEventName = Literal[
    "user_tasks_limit_1", "user_tasks_limit_2", "user_tasks_limit_3", "user_tasks_limit_4", "user_tasks_limit_5",
    "user_tasks_limit_6", "user_tasks_limit_7", "user_tasks_limit_8", "user_tasks_limit_9", "user_tasks_limit_10",
    "user_tasks_limit_11", "user_tasks_limit_12", "user_tasks_limit_13", "user_tasks_limit_14", "user_tasks_limit_15",
    "user_tasks_limit_16", "user_tasks_limit_17", "user_tasks_limit_18", "user_tasks_limit_19", "user_tasks_limit_20",
    "user_tasks_limit_21", "user_tasks_limit_22", "user_tasks_limit_23", "user_tasks_limit_24", "user_tasks_limit_25",
    "user_tasks_limit_26", "user_tasks_limit_27", "user_tasks_limit_28", "user_tasks_limit_29", "user_tasks_limit_30",
    "user_tasks_limit_31", "user_tasks_limit_32", "user_tasks_limit_33", "user_tasks_limit_34", "user_tasks_limit_35",
    "user_tasks_limit_36", "user_tasks_limit_37", "user_tasks_limit_38", "user_tasks_limit_39", "user_tasks_limit_40",
    "user_tasks_limit_41", "user_tasks_limit_42", "user_tasks_limit_43", "user_tasks_limit_44", "user_tasks_limit_45",
    "user_tasks_limit_46", "user_tasks_limit_47", "user_tasks_limit_48", "user_tasks_limit_49", "user_tasks_limit_50",
    "user_tasks_limit_51", "user_tasks_limit_52", "user_tasks_limit_53", "user_tasks_limit_54", "user_tasks_limit_55",
    "user_tasks_limit_56", "user_tasks_limit_57", "user_tasks_limit_58", "user_tasks_limit_59", "user_tasks_limit_60",
    "user_tasks_limit_61", "user_tasks_limit_62", "user_tasks_limit_63", "user_tasks_limit_64", "user_tasks_limit_65",
    "user_tasks_limit_66", "user_tasks_limit_67", "user_tasks_limit_68", "user_tasks_limit_69", "user_tasks_limit_70",
    "user_tasks_limit_71", "user_tasks_limit_72", "user_tasks_limit_73", "user_tasks_limit_74", "user_tasks_limit_75",
    "user_tasks_limit_76", "user_tasks_limit_77", "user_tasks_limit_78", "user_tasks_limit_79", "user_tasks_limit_80",
    "user_tasks_limit_81", "user_tasks_limit_82", "user_tasks_limit_83", "user_tasks_limit_84", "user_tasks_limit_85",
    "user_tasks_limit_86", "user_tasks_limit_87", "user_tasks_limit_88", "user_tasks_limit_89", "user_tasks_limit_90",
    "user_tasks_limit_91", "user_tasks_limit_92", "user_tasks_limit_93", "user_tasks_limit_94", "user_tasks_limit_95",
    "user_tasks_limit_96", "user_tasks_limit_97", "user_tasks_limit_98", "user_tasks_limit_99", "user_tasks_limit_100",
]

WebhookData = Union[TaskStatusWithPercents, AccountEvent, ApprovalRequested, ApprovalDecided, LimitChanged]


class TaskDay(TypedDict):
    date: str
    tasks_consumed: int


class TaskHistory(TypedDict):
    user_id: str
    #: One item for each day in UTC, oldest first.
    days: List[TaskDay]


class CreatedSubscription(TypedDict):
    subscription_id: str
    #: Store it: it is shown only once.
    signing_secret: str


class RotatedSecret(CreatedSubscription):
    #: The time until which the previous secret signs webhooks too.
    previous_valid_until: str


class SubscriptionSettings(TypedDict, total=False):
    """What a subscription can be changed in."""

    events: Sequence[str]
    callback_url: str


class Subscription(TypedDict):
    subscription_id: str
    events: List[str]
    callback_url: str
    status: Literal["active", "disabled"]
    disabled_reason: Optional[str]
    disabled_at: Optional[str]
    #: The time since which all attempts have failed. None after a success.
    failing_since: Optional[str]
    created_at: str
    secret_rotated_at: Optional[str]
    #: The time until which the previous secret signs webhooks too.
    previous_valid_until: Optional[str]


class DeliveryCounts(TypedDict):
    """Each number ends at 10,000, which means "10,000 or more"."""

    pending: int
    delivered: int
    failed: int


class SubscriptionWithCounts(Subscription):
    deliveries: DeliveryCounts


DeliveryStatus = Literal["pending", "delivered", "failed"]


class DeliveryAttempt(TypedDict):
    """One POST to the callback URL: the status of its response, or why there was no complete response."""

    number: int
    started_at: str
    duration_ms: float
    status: Optional[int]
    failure: Optional[str]
    response: Optional[str]
    """The first 1,000 characters of the response; None if it was empty or compressed."""


class Delivery(TypedDict):
    """One webhook to one subscription."""

    delivery_id: str
    event_name: str
    #: None for an event about all users.
    user_id: Optional[str]
    #: None for test deliveries and for events about all users.
    app_key: Optional[str]
    test: bool
    status: DeliveryStatus
    attempts: List[DeliveryAttempt]
    next_attempt_at: Optional[str]
    delivered_at: Optional[str]
    failed_at: Optional[str]
    failed_reason: Optional[str]
    created_at: str
    body: WebhookData


class DeliveryId(TypedDict):
    delivery_id: str


class Success(TypedDict):
    success: Literal[True]
