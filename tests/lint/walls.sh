#!/bin/bash
# The walls between the storeys, proved by the linker: each storey's library, whole,
# is linked against the libraries of the storeys below it (storeys.txt) and nothing
# else. An upward call is then an undefined symbol, named by the linker. Archives
# linked plainly would hide it: a member nobody asks for is not looked at.
set -u
build=${HAKEM_BUILD:?the build directory}
source=${HAKEM_SOURCE:?the source directory}
read -ra cc <<<"${CC:-cc}"
nm=${NM:-nm}
nm=${nm%% *}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0

# check STATUS NAME [FILE]: one TAP line; a bad one shows the file.
check() {
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        [ $# -lt 3 ] || head -n 20 "$3" | sed 's/^/# /'
    fi
}

declare -A allowed links
storeys=()
while IFS='|' read -r name may outside libraries; do
    name=${name// /}
    case $name in '' | '#'* | main) continue ;; esac
    storeys+=("$name")
    allowed[$name]=$may
    links[$name]=$libraries
done <"$source/tests/lint/storeys.txt"

# Sanitizers add calls of their own, so the link needs the flags of the build.
read -ra flags <<<"$(sed -n 's/^HAKEM_CFLAGS = //p' "$build/Makefile")"
sanitized=0
case " ${flags[*]} " in *fsanitize*) sanitized=1 ;; esac

# The storeys that a storey reaches through the table, without itself.
below() {
    local seen=" " todo next
    read -ra todo <<<"${allowed[$1]}"
    while [ ${#todo[@]} -gt 0 ]; do
        next=${todo[0]}
        todo=("${todo[@]:1}")
        case $seen in *" $next "*) continue ;; esac
        seen="$seen$next "
        local more
        read -ra more <<<"${allowed[$next]}"
        todo+=("${more[@]}")
    done
    echo "$seen"
}

archive() {
    echo "$build/.libs/lib$1.a"
}

# link_storey NAME ARCHIVE: 0 when it links; the linker's words are in $work/words.
link_storey() {
    local archives=() libraries=() storey
    read -ra libraries <<<"${links[$1]}"
    for storey in $(below "$1"); do
        archives+=("$(archive "$storey")")
        local more
        read -ra more <<<"${links[$storey]}"
        libraries+=("${more[@]}")
    done
    "${cc[@]}" "${flags[@]}" -o "$work/linked" "$work/main.o" \
        -Wl,--whole-archive "$2" -Wl,--no-whole-archive \
        -Wl,--start-group "${archives[@]}" -Wl,--end-group \
        "${libraries[@]}" >"$work/words.all" 2>&1
    local status=$?
    # One line per missing symbol, with the place of its first use.
    awk -F'undefined reference to' '/ld: cannot/ || (NF == 2 && !seen[$NF]++)' "$work/words.all" \
        >"$work/words"
    return $status
}

echo 'int main(void) { return 0; }' >"$work/main.c"
"${cc[@]}" "${flags[@]}" -c -o "$work/main.o" "$work/main.c"

for storey in "${storeys[@]}"; do
    link_storey "$storey" "$(archive "$storey")"
    check $? "$storey/ needs nothing above it" "$work/words"
done

# The proof of the proof: a call from base/ up into dice/ must be refused by name.
cat >"$work/planted.c" <<'END'
int dice_init(void);
int base_planted(void);
int base_planted(void) { return dice_init(); }
END
"${cc[@]}" "${flags[@]}" -c -o "$work/planted.o" "$work/planted.c"
cp "$(archive base)" "$work/libplanted.a"
ar r "$work/libplanted.a" "$work/planted.o" 2>/dev/null
link_storey base "$work/libplanted.a"
check $((! $?)) "a planted upward call does not link"
grep -q 'undefined.*dice_init' "$work/words"
check $? "and the linker names it" "$work/words"

# rules/ is pure: beyond itself it calls only what moves or compares bytes, and what
# the compiler and its sanitizers put in.
pure='^(memcpy|memmove|memset|memcmp|memchr|bcmp|strlen|strcmp|strncmp|strchr'
pure="$pure|__(popcount|clz|ctz)[sdt]i2|__memcpy_chk|__memmove_chk|__memset_chk|__assert_fail|__stack_chk_fail"
pure="$pure|__asan_.*|__ubsan_.*|_GLOBAL_OFFSET_TABLE_)\$"
impure() {
    "$nm" -u "$1" | awk '$1 == "U" { print $2 }' | sort -u >"$work/needs"
    "$nm" --defined-only "$1" | awk 'NF == 3 { print $3 }' | sort -u >"$work/has"
    comm -23 "$work/needs" "$work/has" | grep -Ev "$pure" | sed 's/^/rules\/ calls /'
}
impure "$(archive rules)" >"$work/words"
check "$([ ! -s "$work/words" ] && [ -s "$work/has" ]; echo $?)" "rules/ is pure" "$work/words"
echo 'long time(long *); long planted(void); long planted(void) { return time(0); }' \
    >"$work/impure.c"
"${cc[@]}" "${flags[@]}" -fno-builtin -c -o "$work/impure.o" "$work/impure.c"
cp "$(archive rules)" "$work/libimpure.a"
ar r "$work/libimpure.a" "$work/impure.o" 2>/dev/null
impure "$work/libimpure.a" | grep -qx 'rules/ calls time'
check $? "a planted call to time is found"

# No storey keeps a mutable global, the sink of the log excepted. (Sanitizers put
# descriptions of every constant into writable memory; they are theirs, not ours.)
globals() {
    "$nm" --format=sysv "$@" 2>/dev/null | awk -F'|' '
        { gsub(/ /, "", $1); gsub(/ /, "", $7) }
        $7 ~ /^\.(data|bss|tdata|tbss)(\.|$)/ && $7 !~ /^\.data\.rel\.ro/ && $4 ~ /OBJECT|TLS/ &&
            $1 !~ /^(\.L|__|_Z)/ && $1 != "log_sink" { print $1 " is a mutable global" }'
}
archives=()
for storey in "${storeys[@]}"; do
    archives+=("$(archive "$storey")")
done
if [ "$sanitized" -eq 0 ]; then
    globals "${archives[@]}" >"$work/words"
    check "$([ ! -s "$work/words" ]; echo $?)" "no storey keeps a mutable global" "$work/words"
fi
echo 'int planted(void); static int kept; int planted(void) { static int n = 1; return ++kept + ++n; }' \
    >"$work/global.c"
"${cc[@]}" "${flags[@]}" -c -o "$work/global.o" "$work/global.c"
check "$([ "$(globals "$work/global.o" | wc -l)" -eq 2 ]; echo $?)" "planted globals are found"

echo "1..$count"
