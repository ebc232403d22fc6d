#!/bin/bash
# The program's door: version, help of every command, unknown words, exit codes.
set -u
hakem=${HAKEM:?the program}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
count=0

# expect CODE NAME ARGUMENTS...: runs hakem; its output is in $work/out and $work/err.
expect() {
    local want=$1 name=$2 got
    shift 2
    "$hakem" "$@" >"$work/out" 2>"$work/err" </dev/null
    got=$?
    verdict "$([ "$got" -eq "$want" ]; echo $?)" "$name: exit code $want"
    [ "$got" -eq "$want" ] || echo "# got $got: $(head -n 1 "$work/err")"
}

verdict() {
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; fi
}

said() {
    grep -qxF -- "$2" "$work/$1"
    verdict $? "$1 says: $2"
}

expect 0 version --version
verdict "$(grep -qxE 'hakem [0-9]+\.[0-9]+\.[0-9]+' "$work/out"; echo $?)" "a version of three numbers"
expect 0 "the overview" --help
said out 'usage: hakem COMMAND [arguments]'
mapfile -t commands < <(sed -nE 's/^  ([a-z]+) +[^ ].*/\1/p' "$work/out")
verdict "$([ "${#commands[@]}" -ge 2 ]; echo $?)" "it lists ${#commands[@]} commands"
for command in "${commands[@]}"; do
    expect 0 "$command --help" "$command" --help
    verdict "$(grep -q "^usage: hakem $command" "$work/out"; echo $?)" "usage of $command"
    cp "$work/out" "$work/help"
    expect 0 "help $command" help "$command"
    verdict "$(cmp -s "$work/out" "$work/help"; echo $?)" "both ways to ask say the same"
    expect 2 "$command with an unknown option" "$command" --no-such-option-at-all
    verdict "$([ "$(wc -l <"$work/err")" -eq 1 ] && [ ! -s "$work/out" ]; echo $?)" \
        "one line on stderr, nothing on stdout"
    said err "hakem $command: unknown option --no-such-option-at-all: --help lists the options"
done

expect 2 "no command"
said err 'hakem: which command? hakem --help lists them'
expect 2 "a misspelt command" "${commands[0]}x"
said err "hakem: unknown command ${commands[0]}x: did you mean ${commands[0]}?"
expect 2 "help for it" help "${commands[0]}x"
expect 2 "a word that is near to nothing" xyzzyxyzzy
said err 'hakem: unknown command xyzzyxyzzy: hakem --help lists the commands'
expect 2 "a word with control bytes" $'a\n\e[2Jbcdefgh'
said err 'hakem: unknown command a\x0a\x1b[2Jbcdefgh: hakem --help lists the commands'

"$hakem" --help >/dev/full 2>"$work/err"
verdict "$([ $? -eq 5 ]; echo $?)" "a full disk behind stdout: exit code 5"
said err 'hakem: cannot write to standard output'
LC_ALL=tr_TR.UTF-8 "$hakem" --help >"$work/out"
said out 'kullanım: hakem KOMUT [argümanlar]'

echo "1..$count"
