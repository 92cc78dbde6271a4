#!/bin/sh
# Starts Redis with a user for each service. The configuration comes from standard input, because the process list shows arguments, and they
# would contain the passwords. Arguments of this script override the configuration.
#
# A service can use only the keys of its queues and of the rate limits, and no command that reads or changes the server itself. functions
# has no access to the queue of webhooks. The default user is for operators, and for processes of versions before these users existed.
set -eu
exec redis-server - "$@" <<END
requirepass $REDIS_PASSWORD
user functions on >$FUNCTIONS_REDIS_PASSWORD ~{onward}:task-consumed:* ~{onward}:user-events:* ~{onward}:task-hours:* ~{onward}:resend-hours:* ~{onward}:blocking:* ~{onward}:ended-rights:* ~{onward}:rate:* +@all -@admin -@dangerous +info
user insights on >$INSIGHTS_REDIS_PASSWORD ~{onward}:* +@all -@admin -@dangerous +info
user health on nopass +ping
dir .
appendonly yes
appendfsync everysec
save ""
maxmemory 384mb
maxmemory-policy noeviction
END
