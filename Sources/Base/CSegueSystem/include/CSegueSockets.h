// Linux sockets, epoll, splice, and real-time scheduling as plain functions (ssock_…), where Swift's Glibc module lacks a
// function, or does not import its macros and unions.
// Functions that can fail return a negative error number instead of setting errno.
#ifndef SEGUE_CSOCKETS_H
#define SEGUE_CSOCKETS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/// An IPv4 or IPv6 address with its port.
struct ssock_address {
    struct sockaddr_storage storage;
    socklen_t length;
};

/// The readiness of a descriptor.
struct ssock_event {
    uint64_t tag;
    int readable;
    int writable;
    int broken;
};

/// The monotonic clock, in nanoseconds.
int64_t ssock_now(void);

/// Resolves a host. Returns the number of addresses, or a negative resolver error for ssock_resolver_message.
int ssock_resolve(const char *host, int port, int to_listen, struct ssock_address *addresses, int most);
const char *ssock_resolver_message(int code);

/// Writes the numeric host and returns the port.
int ssock_describe(const struct ssock_address *address, char *host, size_t size);

/// Creates a non-blocking listener; `bound` receives its address.
int ssock_listen(const struct ssock_address *address, struct ssock_address *bound);

/// Accepts the next client, without blocking.
int ssock_accept(int listener, struct ssock_address *peer);

/// Begins to connect, without blocking; a buffer size of 0 keeps the system's default.
int ssock_connect(const struct ssock_address *address, int receive_buffer);

/// The local address of a socket. Returns 0 for success.
int ssock_local(int descriptor, struct ssock_address *address);

/// The result of a connection attempt; 0 for success.
int ssock_error(int descriptor);

/// The estimated round-trip time of a connection, in microseconds.
int ssock_round_trip(int descriptor);

/// Disables delayed sending, and detects a vanished peer within some minutes.
void ssock_prepare(int descriptor);
void ssock_set_send_buffer(int descriptor, int bytes);
void ssock_set_receive_buffer(int descriptor, int bytes);

/// Closes with a reset.
void ssock_reset(int descriptor);

long ssock_read(int descriptor, void *bytes, size_t count);
long ssock_write(int descriptor, const void *bytes, size_t count);
void ssock_end_writing(int descriptor);

/// The number of written bytes that the peer's system has not acknowledged.
int ssock_unsent(int descriptor);

/// The window that the peer's system announced last, in bytes; negative if unknown (before Linux 5.4).
long ssock_peer_window(int descriptor);

/// Creates a non-blocking pipe, with a capacity of about `bytes` if the system allows it.
int ssock_pipe(int ends[2], int bytes);
long ssock_splice(int from, int to, size_t count);

/// An epoll instance; sockets are watched in both directions and edge-triggered, listeners level-triggered.
int ssock_poller(void);
int ssock_watch(int poller, int descriptor, uint64_t tag);
int ssock_watch_level(int poller, int descriptor, uint64_t tag);
int ssock_unwatch(int poller, int descriptor);

/// Waits for events, without limit if `nanoseconds` is negative. Returns the number of events.
int ssock_wait(int poller, struct ssock_event *events, int most, int64_t nanoseconds);

/// An eventfd, which becomes readable when it is rung.
int ssock_bell(void);
void ssock_ring(int bell);
void ssock_silence(int bell);

/// Makes SIGINT and SIGTERM ring a bell instead of ending the process; the second function returns whether one came.
void ssock_ring_on_signals(int bell);
int ssock_was_interrupted(void);

/// Sets a timer slack of 1 ns and, if permitted, SCHED_FIFO for the calling thread. Returns whether it was permitted.
int ssock_prepare_thread(void);

/// Raises the limit of open descriptors as far as permitted. Returns the limit.
long ssock_raise_descriptor_limit(void);

/// The message of an error.
const char *ssock_message(int code);

#endif
