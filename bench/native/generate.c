/*
 * Sends frames as fast as it can, and counts how many arrive at another interface.
 *
 *     generate LENGTH SECONDS PIDS FLOW...
 *
 *     LENGTH    bytes of a frame without FCS, 14 to 9014; or @FILE: the frames to send in turn, a line of hexadecimal digits each
 *     SECONDS   how long to measure, after a fifth of that for warming up
 *     PIDS      processes whose CPU time is to be measured too, separated by commas, or 0
 *     FLOW      four words: the network namespace (a name of ip-netns) and the interface to send from, and those where frames arrive
 *
 * Flows take turns, a batch each. Flow k goes from station 02:00:00:00:00:(2k+1) to station 02:00:00:00:00:(2k+2); before anything is measured
 * each destination sends one frame the other way, so that bridges learn where it is. Frames carry EtherType 0x88B5 (IEEE 802 local
 * experimental) and zeros; no protocol stack takes them. Frames from a file are sent as they are, by every flow; nothing is sent the other way.
 *
 * Prints one line: seconds, frames sent, frames that arrived (rx_packets), CPU seconds of this process, CPU seconds of each of PIDS.
 * A process's CPU time includes what the kernel does for its frames in soft interrupts while the process runs.
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

enum { BATCH = 64, MAX_LENGTH = 9014, MAX_FLOWS = 32, MAX_PIDS = 64, WORDS_PER_FLOW = 4, MAX_FRAMES = 4096 };

struct flow {
    int socket;
    int counters;                   /* /proc/net/dev of the namespace where frames arrive */
    const char *arrival;
    struct mmsghdr *messages;       /* some batches, which take turns */
    int message_count, next;
    struct iovec vector;
    unsigned char frame[MAX_LENGTH];
};

struct sample {
    double time;
    double cpu[1 + MAX_PIDS];       /* this process first */
    unsigned long long arrived;
};

static struct flow flows[MAX_FLOWS];
static clockid_t clocks[1 + MAX_PIDS] = { CLOCK_PROCESS_CPUTIME_ID };
static struct iovec given[MAX_FRAMES];
static int flow_count, clock_count = 1, length, given_count;
static unsigned long long sent;

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static double seconds(clockid_t clock)
{
    struct timespec time;
    if (clock_gettime(clock, &time) < 0) fail("clock_gettime");
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static void enter(const char *namespace)
{
    char path[256];
    snprintf(path, sizeof path, "/run/netns/%s", namespace);
    int descriptor = open(path, O_RDONLY);
    if (descriptor < 0 || setns(descriptor, CLONE_NEWNET) < 0) fail(path);
    close(descriptor);
}

static int open_interface(const char *interface)
{
    int on = 1, room = 1 << 24;
    /* Protocol 0: nothing is ever received. */
    int descriptor = socket(AF_PACKET, SOCK_RAW, 0);
    struct sockaddr_ll address = { .sll_family = AF_PACKET, .sll_ifindex = if_nametoindex(interface) };
    if (descriptor < 0 || address.sll_ifindex == 0 || bind(descriptor, (void *)&address, sizeof address) < 0) fail(interface);
    if (setsockopt(descriptor, SOL_PACKET, PACKET_QDISC_BYPASS, &on, sizeof on) < 0) fail("PACKET_QDISC_BYPASS");
    if (setsockopt(descriptor, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof room) < 0) fail("SO_SNDBUFFORCE");
    return descriptor;
}

static void address_frame(unsigned char *frame, int destination, int source)
{
    struct ethhdr header = { .h_dest = { 2, 0, 0, 0, 0, destination }, .h_source = { 2, 0, 0, 0, 0, source }, .h_proto = htons(0x88B5) };
    memcpy(frame, &header, sizeof header);
}

static void read_frames(const char *path)
{
    static char line[2 * MAX_LENGTH + 2];
    FILE *file = fopen(path, "r");
    if (!file) fail(path);
    while (given_count < MAX_FRAMES && fgets(line, sizeof line, file)) {
        size_t bytes = strspn(line, "0123456789abcdefABCDEF") / 2;
        unsigned char *frame = malloc(MAX_LENGTH);
        for (size_t i = 0; i < bytes; i++) sscanf(line + 2 * i, "%2hhx", &frame[i]);
        given[given_count++] = (struct iovec){ frame, bytes };
    }
    fclose(file);
}

/* One frame, or as many batches as those of the file fill. */
static void fill_messages(struct flow *flow)
{
    flow->message_count = given_count == 0 ? BATCH : (given_count + BATCH - 1) / BATCH * BATCH;
    flow->messages = calloc(flow->message_count, sizeof *flow->messages);
    for (int i = 0; i < flow->message_count; i++) {
        struct iovec *frame = given_count == 0 ? &flow->vector : &given[i % given_count];
        flow->messages[i].msg_hdr = (struct msghdr){ .msg_iov = frame, .msg_iovlen = 1 };
    }
}

static void open_flow(struct flow *flow, char **words, int number)
{
    int source = 2 * number + 1, destination = 2 * number + 2;
    enter(words[0]);
    flow->socket = open_interface(words[1]);
    enter(words[2]);
    flow->counters = open("/proc/thread-self/net/dev", O_RDONLY);
    if (flow->counters < 0) fail("/proc/thread-self/net/dev");
    flow->arrival = words[3];
    fill_messages(flow);
    if (given_count > 0) return;

    int back = open_interface(words[3]);
    address_frame(flow->frame, source, destination);
    if (send(back, flow->frame, length, 0) < 0) fail(words[3]);
    close(back);

    address_frame(flow->frame, destination, source);
    flow->vector = (struct iovec){ flow->frame, length };
}

static unsigned long long arrived(struct flow *flow)
{
    char text[16384], name[IFNAMSIZ];
    ssize_t size = pread(flow->counters, text, sizeof text - 1, 0);
    if (size < 0) fail("/proc/thread-self/net/dev");
    text[size] = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned long long packets;
        if (sscanf(line, " %15[^:]: %*u %llu", name, &packets) == 2 && strcmp(name, flow->arrival) == 0) return packets;
    }
    fprintf(stderr, "%s: no such interface\n", flow->arrival);
    exit(1);
}

static struct sample take(void)
{
    struct sample sample = { .time = seconds(CLOCK_MONOTONIC) };
    for (int i = 0; i < clock_count; i++) sample.cpu[i] = seconds(clocks[i]);
    for (int i = 0; i < flow_count; i++) sample.arrived += arrived(&flows[i]);
    return sample;
}

static void send_for(double duration)
{
    double start = seconds(CLOCK_MONOTONIC), now = start;
    for (int turn = 0; now < start + duration; turn++, now = seconds(CLOCK_MONOTONIC)) {
        struct flow *flow = &flows[turn % flow_count];
        int count = sendmmsg(flow->socket, flow->messages + flow->next, BATCH, 0);
        flow->next = (flow->next + BATCH) % flow->message_count;
        /* A queue without room loses the frame. */
        if (count < 0 && errno != ENOBUFS && errno != EAGAIN) fail("sendmmsg");
        sent += count > 0 ? count : 1;
    }
}

int main(int argc, char **argv)
{
    flow_count = (argc - 4) / WORDS_PER_FLOW;
    if (argc > 1 && argv[1][0] == '@') read_frames(argv[1] + 1);
    length = given_count > 0 ? ETH_HLEN : argc > 1 ? atoi(argv[1]) : 0;
    if (flow_count < 1 || flow_count > MAX_FLOWS || (argc - 4) % WORDS_PER_FLOW != 0 || length < ETH_HLEN || length > MAX_LENGTH) {
        fprintf(stderr, "usage: generate LENGTH|@FILE SECONDS PIDS NAMESPACE INTERFACE NAMESPACE INTERFACE ...\n");
        return 2;
    }
    double duration = atof(argv[2]);
    for (char *pid = strtok(argv[3], ","); pid && atoi(pid) > 0 && clock_count <= MAX_PIDS; pid = strtok(NULL, ",")) {
        if (clock_getcpuclockid(atoi(pid), &clocks[clock_count++]) != 0) fail(pid);
    }
    for (int i = 0; i < flow_count; i++) open_flow(&flows[i], argv + 4 + i * WORDS_PER_FLOW, i);

    send_for(duration / 5);
    sent = 0;
    struct sample before = take();
    send_for(duration);
    struct sample after = take();
    printf("%.6f %llu %llu", after.time - before.time, sent, after.arrived - before.arrived);
    for (int i = 0; i < clock_count; i++) printf(" %.6f", after.cpu[i] - before.cpu[i]);
    printf("\n");
    return 0;
}
