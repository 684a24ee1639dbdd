/*
 * Sends one frame, waits for its answer, sends it again: how long an answer takes, one at a time.
 *
 *     roundtrip SECONDS NAMESPACE INTERFACE REQUEST ANSWER [NAMESPACE INTERFACE PASSED]
 *
 *     SECONDS    how long to measure, after a fifth of that for warming up
 *     NAMESPACE  a network namespace (a name of ip-netns), and in it
 *     INTERFACE  the interface to send from and to wait at
 *     REQUEST    the frame without FCS: hexadecimal digits, such as 02000000000202000000000108004500...
 *     ANSWER     the first bytes of what answers it: hexadecimal digits, a byte that may have any value as two dots, such as
 *                02000000000102000000000208004500........
 *
 * With three words more the program is the other end, too: a frame of the form PASSED that arrives at the second interface is sent back there,
 * its MAC addresses, IPv4 addresses and ports exchanged (so no checksum changes); IPv4 without options, and TCP or UDP.
 *
 *     roundtrip 1 h1 eth0 REQUEST ANSWER                 a host that answers
 *     roundtrip 1 in eth0 REQUEST ANSWER out eth0 PASSED     what is between two interfaces; times are there and back
 *
 * It looks for frames without ever sleeping, so a core is its own for as long as it runs. A request without an answer in 100 ms is lost, and
 * what has arrived until then is thrown away. No protocol stack is kept from the frames: give hosts no address, or mind what they answer.
 *
 * Prints one line: requests answered, requests lost, then the median, the 99th percentile and the smallest of the times in microseconds, and the mean.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MAX_LENGTH = 9014, MAX_TIMES = 1 << 22, ADDRESSES = 26, PORTS = 34, PORTS_END = 38 };

static const double patience = 0.1;

struct pattern {
    int length;
    unsigned char value[MAX_LENGTH], mask[MAX_LENGTH];
};

static struct pattern request, answer, passed;
static double times[MAX_TIMES];

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static void parse(const char *text, struct pattern *pattern, int may_be_any)
{
    size_t digits = strlen(text);
    pattern->length = digits / 2;
    for (int i = 0; digits % 2 == 0 && i < pattern->length && i < MAX_LENGTH; i++) {
        unsigned value = 0;
        int is_any = may_be_any && memcmp(text + 2 * i, "..", 2) == 0;
        if (!is_any && (strspn(text + 2 * i, "0123456789abcdefABCDEF") < 2 || sscanf(text + 2 * i, "%2x", &value) != 1)) break;
        pattern->value[i] = value;
        pattern->mask[i] = is_any ? 0 : 0xff;
        if (i == pattern->length - 1) return;
    }
    fprintf(stderr, "%s: not bytes in hexadecimal digits\n", text);
    exit(2);
}

static int matches(const struct pattern *pattern, const unsigned char *frame, ssize_t length)
{
    if (length < pattern->length) return 0;
    for (int i = 0; i < pattern->length; i++) {
        if ((frame[i] ^ pattern->value[i]) & pattern->mask[i]) return 0;
    }
    return 1;
}

static int open_interface(const char *namespace, const char *interface)
{
    char path[256];
    snprintf(path, sizeof path, "/run/netns/%s", namespace);
    int descriptor = open(path, O_RDONLY), on = 1;
    if (descriptor < 0 || setns(descriptor, CLONE_NEWNET) < 0) fail(path);
    close(descriptor);
    int opened = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, htons(ETH_P_ALL));
    struct sockaddr_ll address = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = if_nametoindex(interface) };
    if (opened < 0 || address.sll_ifindex == 0 || bind(opened, (void *)&address, sizeof address) < 0) fail(interface);
    if (setsockopt(opened, SOL_PACKET, PACKET_QDISC_BYPASS, &on, sizeof on) < 0) fail("PACKET_QDISC_BYPASS");
    if (setsockopt(opened, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof on) < 0) fail("PACKET_IGNORE_OUTGOING");
    return opened;
}

/* Looks once: the length of a frame of that form, or 0. */
static ssize_t receive(int from, const struct pattern *pattern, unsigned char *frame)
{
    ssize_t length = recv(from, frame, MAX_LENGTH, 0);
    if (length < 0 && errno != EAGAIN && errno != EINTR && errno != ENETDOWN) fail("recv");
    return matches(pattern, frame, length) ? length : 0;
}

static void exchange(unsigned char *frame, int offset, int length)
{
    unsigned char kept[ETH_ALEN];
    memcpy(kept, frame + offset, length);
    memcpy(frame + offset, frame + offset + length, length);
    memcpy(frame + offset + length, kept, length);
}

static void turn_round(int far)
{
    unsigned char frame[MAX_LENGTH];
    ssize_t length = receive(far, &passed, frame);
    if (length < PORTS_END) return;
    exchange(frame, 0, ETH_ALEN);
    exchange(frame, ADDRESSES, sizeof(struct in_addr));
    exchange(frame, PORTS, sizeof(in_port_t));
    if (send(far, frame, length, 0) < 0 && errno != ENOBUFS) fail("send");
}

static void drain(int from)
{
    unsigned char frame[MAX_LENGTH];
    while (recv(from, frame, sizeof frame, 0) >= 0) { }
}

/* Asks again and again; how many answers there were, whose times are kept. */
static int ask_for(double duration, int near, int far, int *lost)
{
    unsigned char frame[MAX_LENGTH];
    double end = now() + duration;
    int count = 0;
    *lost = 0;
    for (double start = now(); start < end && count < MAX_TIMES; start = now()) {
        if (send(near, request.value, request.length, 0) < 0 && errno != ENOBUFS) fail("send");
        double time = 0;
        int is_answered = 0;
        while (!is_answered && time < patience) {
            if (far >= 0) turn_round(far);
            is_answered = receive(near, &answer, frame) > 0;
            time = now() - start;
        }
        if (is_answered) times[count++] = time;
        else {
            ++*lost;
            drain(near);
            if (far >= 0) drain(far);
        }
    }
    return count;
}

static int ascending(const void *left, const void *right)
{
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

int main(int argc, char **argv)
{
    if (argc != 6 && argc != 9) {
        fprintf(stderr, "usage: roundtrip SECONDS NAMESPACE INTERFACE REQUEST ANSWER [NAMESPACE INTERFACE PASSED]\n");
        return 2;
    }
    double duration = atof(argv[1]);
    parse(argv[4], &request, 0);
    parse(argv[5], &answer, 1);
    if (argc == 9) parse(argv[8], &passed, 1);
    int near = open_interface(argv[2], argv[3]), far = argc == 9 ? open_interface(argv[6], argv[7]) : -1, lost;

    ask_for(duration / 5, near, far, &lost);
    int count = ask_for(duration, near, far, &lost);
    if (count == 0) {
        fprintf(stderr, "no answer\n");
        return 1;
    }
    qsort(times, count, sizeof *times, ascending);
    double sum = 0;
    for (int i = 0; i < count; i++) sum += times[i];
    printf("%d %d %.3f %.3f %.3f %.3f\n", count, lost, times[count / 2] * 1e6, times[(int)(count * 0.99)] * 1e6, times[0] * 1e6, sum / count * 1e6);
    return 0;
}
