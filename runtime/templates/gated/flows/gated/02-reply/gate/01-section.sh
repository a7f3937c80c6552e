#!/bin/sh
# What a gate prints is what the agent reads next: say what is wrong, and what to do.
grep -q '^## What happens next$' "$1" && exit 0
echo 'The reply has no section "## What happens next".'
echo 'Add it as the last section, with one sentence that names a day.'
exit 1
