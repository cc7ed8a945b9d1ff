#define _GNU_SOURCE
#include "CSegueSockets.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

int64_t ssock_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int ssock_resolve(const char *host, int port, int to_listen, struct ssock_address *addresses, int most) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = to_listen ? AI_PASSIVE : 0};
    struct addrinfo *found = NULL;
    int code = getaddrinfo(host, NULL, &hints, &found);
    if (code != 0) return code < 0 ? code : -code;
    int count = 0;
    for (struct addrinfo *one = found; one != NULL && count < most; one = one->ai_next) {
        if (one->ai_family == AF_INET) {
            ((struct sockaddr_in *)one->ai_addr)->sin_port = htons((uint16_t)port);
        } else if (one->ai_family == AF_INET6) {
            ((struct sockaddr_in6 *)one->ai_addr)->sin6_port = htons((uint16_t)port);
        } else {
            continue;
        }
        memcpy(&addresses[count].storage, one->ai_addr, one->ai_addrlen);
        addresses[count].length = one->ai_addrlen;
        count += 1;
    }
    freeaddrinfo(found);
    return count;
}

const char *ssock_resolver_message(int code) { return gai_strerror(code); }

int ssock_describe(const struct ssock_address *address, char *host, size_t size) {
    if (getnameinfo((const struct sockaddr *)&address->storage, address->length, host, (socklen_t)size, NULL, 0,
                    NI_NUMERICHOST) != 0) {
        host[0] = 0;
    }
    switch (address->storage.ss_family) {
    case AF_INET: return ntohs(((const struct sockaddr_in *)&address->storage)->sin_port);
    case AF_INET6: return ntohs(((const struct sockaddr_in6 *)&address->storage)->sin6_port);
    default: return 0;
    }
}

static int failed(int descriptor) {
    int code = errno;
    close(descriptor);
    return -code;
}

int ssock_listen(const struct ssock_address *address, struct ssock_address *bound) {
    int descriptor = socket(address->storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    int on = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (address->storage.ss_family == AF_INET6) setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    bound->length = sizeof bound->storage;
    if (bind(descriptor, (const struct sockaddr *)&address->storage, address->length) != 0 ||
        listen(descriptor, 4096) != 0 ||
        getsockname(descriptor, (struct sockaddr *)&bound->storage, &bound->length) != 0) {
        return failed(descriptor);
    }
    return descriptor;
}

int ssock_accept(int listener, struct ssock_address *peer) {
    peer->length = sizeof peer->storage;
    int descriptor = accept4(listener, (struct sockaddr *)&peer->storage, &peer->length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

int ssock_connect(const struct ssock_address *address, int receive_buffer) {
    int descriptor = socket(address->storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    ssock_prepare(descriptor);
    if (receive_buffer > 0) {
        ssock_set_receive_buffer(descriptor, receive_buffer);
        // The loopback interface's segments of 64 KiB would not fit a small window.
        int segment = 1448;
        setsockopt(descriptor, IPPROTO_TCP, TCP_MAXSEG, &segment, sizeof segment);
    }
    if (connect(descriptor, (const struct sockaddr *)&address->storage, address->length) != 0 &&
        errno != EINPROGRESS) {
        return failed(descriptor);
    }
    return descriptor;
}

int ssock_local(int descriptor, struct ssock_address *address) {
    address->length = sizeof address->storage;
    return getsockname(descriptor, (struct sockaddr *)&address->storage, &address->length) != 0 ? -errno : 0;
}

int ssock_error(int descriptor) {
    int code = 0;
    socklen_t size = sizeof code;
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) != 0 ? errno : code;
}

int ssock_round_trip(int descriptor) {
    struct tcp_info info;
    socklen_t size = sizeof info;
    return getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 ? 0 : (int)info.tcpi_rtt;
}

void ssock_prepare(int descriptor) {
    int on = 1, idle = 60, interval = 20;
    setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void ssock_set_send_buffer(int descriptor, int bytes) {
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

void ssock_set_receive_buffer(int descriptor, int bytes) {
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

void ssock_reset(int descriptor) {
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    close(descriptor);
}

long ssock_read(int descriptor, void *bytes, size_t count) {
    ssize_t result;
    do { result = recv(descriptor, bytes, count, 0); } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : result;
}

long ssock_write(int descriptor, const void *bytes, size_t count) {
    ssize_t result;
    do { result = send(descriptor, bytes, count, MSG_NOSIGNAL); } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : result;
}

void ssock_end_writing(int descriptor) { shutdown(descriptor, SHUT_WR); }

int ssock_unsent(int descriptor) {
    int count = 0;
    return ioctl(descriptor, SIOCOUTQ, &count) != 0 ? 0 : count;
}

long ssock_peer_window(int descriptor) {
    // The C library's struct tcp_info may end before the kernel's tcpi_snd_wnd, whose offset is fixed.
    enum { place = 228 };
    char info[place + sizeof(uint32_t)];
    socklen_t size = sizeof info;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, info, &size) != 0 || size < sizeof info) return -1;
    uint32_t window;
    memcpy(&window, info + place, sizeof window);
    return window;
}

int ssock_pipe(int ends[2], int bytes) {
    if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) return -errno;
    fcntl(ends[1], F_SETPIPE_SZ, bytes);
    return 0;
}

long ssock_splice(int from, int to, size_t count) {
    ssize_t result;
    do {
        result = splice(from, NULL, to, NULL, count, SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
    } while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : result;
}

int ssock_poller(void) {
    // splice raises this signal for a closed peer, and has no flag against it.
    signal(SIGPIPE, SIG_IGN);
    int descriptor = epoll_create1(EPOLL_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

static int watch(int poller, int descriptor, uint64_t tag, uint32_t events) {
    struct epoll_event event = {.events = events, .data.u64 = tag};
    return epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) != 0 ? -errno : 0;
}

int ssock_watch(int poller, int descriptor, uint64_t tag) {
    return watch(poller, descriptor, tag, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
}

int ssock_watch_level(int poller, int descriptor, uint64_t tag) { return watch(poller, descriptor, tag, EPOLLIN); }

int ssock_unwatch(int poller, int descriptor) {
    return epoll_ctl(poller, EPOLL_CTL_DEL, descriptor, NULL) != 0 ? -errno : 0;
}

int ssock_wait(int poller, struct ssock_event *events, int most, int64_t nanoseconds) {
    struct epoll_event found[256];
    if (most > 256) most = 256;
    struct timespec limit = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    int count = epoll_pwait2(poller, found, most, nanoseconds < 0 ? NULL : &limit, NULL);
    if (count < 0) return errno == EINTR ? 0 : -errno;
    for (int index = 0; index < count; index += 1) {
        uint32_t flags = found[index].events;
        events[index].tag = found[index].data.u64;
        events[index].readable = (flags & (EPOLLIN | EPOLLRDHUP | EPOLLHUP)) != 0;
        events[index].writable = (flags & (EPOLLOUT | EPOLLHUP)) != 0;
        events[index].broken = (flags & EPOLLERR) != 0;
    }
    return count;
}

int ssock_bell(void) {
    int descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

void ssock_ring(int bell) {
    uint64_t one = 1;
    ssize_t ignored = write(bell, &one, sizeof one);
    (void)ignored;
}

void ssock_silence(int bell) {
    uint64_t count;
    ssize_t ignored = read(bell, &count, sizeof count);
    (void)ignored;
}

static volatile sig_atomic_t interrupted = 0;
static volatile sig_atomic_t interrupt_bell = -1;

static void interrupt(int number) {
    (void)number;
    int code = errno;
    interrupted = 1;
    ssock_ring(interrupt_bell);
    errno = code;
}

void ssock_ring_on_signals(int bell) {
    interrupt_bell = bell;
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int ssock_was_interrupted(void) { return interrupted; }

int ssock_prepare_thread(void) {
    prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    struct sched_param parameters = {.sched_priority = 1};
    return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0;
}

long ssock_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
    return (long)limit.rlim_cur;
}

const char *ssock_message(int code) { return strerror(code); }
