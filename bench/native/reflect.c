/*
 * Sends every frame that comes out of a tap interface back into it: what Emu's reflecting service is measured against.
 *
 *     reflect INTERFACE
 *
 * Creates the interface, sets it up, prints "ready" and runs until it is killed; the interface goes away with it. One blocking read and one
 * write for each frame, in one buffer that stays in the first-level cache: a tap has no call that moves more than one frame, so there is no
 * simple loop that does less.
 */
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

int main(int argc, char **argv)
{
    if (argc != 2 || strlen(argv[1]) >= IFNAMSIZ) {
        fprintf(stderr, "usage: reflect INTERFACE\n");
        return 2;
    }

    int tap = open("/dev/net/tun", O_RDWR);
    if (tap < 0) fail("/dev/net/tun");
    struct ifreq request = { .ifr_flags = IFF_TAP | IFF_NO_PI };
    strcpy(request.ifr_name, argv[1]);
    if (ioctl(tap, TUNSETIFF, &request) < 0) fail("TUNSETIFF");

    int socket_ = socket(AF_INET, SOCK_DGRAM, 0);
    if (socket_ < 0 || ioctl(socket_, SIOCGIFFLAGS, &request) < 0) fail("SIOCGIFFLAGS");
    request.ifr_flags |= IFF_UP;
    if (ioctl(socket_, SIOCSIFFLAGS, &request) < 0) fail("SIOCSIFFLAGS");

    printf("ready\n");
    fflush(stdout);
    static char frame[65536];
    for (;;) {
        ssize_t length = read(tap, frame, sizeof frame);
        if (length < 0) fail("read");
        if (write(tap, frame, length) != length) perror("write");
    }
}
