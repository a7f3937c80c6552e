#!/bin/sh
lines=$(grep -c '' "$1")
long=$(grep -n -E '^.{121,}' "$1" | cut -d: -f1 | tr '\n' ' ')
[ "$lines" -le 12 ] && [ -z "$long" ] && [ -s "$1" ] && exit 0
[ -s "$1" ] || echo 'The note is empty. Write it.'
[ "$lines" -le 12 ] || echo "The note has $lines lines. Cut it to 12: drop what nobody has to act on."
[ -z "$long" ] || echo "Break or shorten these lines, they have more than 120 characters: $long"
exit 1
