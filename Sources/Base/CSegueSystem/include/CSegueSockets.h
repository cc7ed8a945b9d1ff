// Sockets, epoll, splice and real-time scheduling of Linux as plain functions (ssock_…): those that Swift's Glibc module
// lacks, and those whose macros and unions it does not import.
// Functions that can fail return the negative error number instead of setting errno.
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

/// What a descriptor is ready for.
struct ssock_event {
    uint64_t tag;
    int readable;
    int writable;
    int broken;
};

/// The monotonic clock, in nanoseconds.
int64_t ssock_now(void);

/// Addresses of a host and port; the number found, or minus a resolver's error, for ssock_resolver_message.
int ssock_resolve(const char *host, int port, int to_listen, struct ssock_address *addresses, int most);
const char *ssock_resolver_message(int code);

/// Writes the numeric host and returns the port.
int ssock_describe(const struct ssock_address *address, char *host, size_t size);

/// A socket that listens, without blocking; `bound` gets its address.
int ssock_listen(const struct ssock_address *address, struct ssock_address *bound);

/// The next client's socket, without blocking.
int ssock_accept(int listener, struct ssock_address *peer);

/// A socket that connects, without blocking; buffer sizes of 0 leave the system's.
int ssock_connect(const struct ssock_address *address, int receive_buffer);

/// This machine's end of a socket's connection; 0 for success.
int ssock_local(int descriptor, struct ssock_address *address);

/// What became of a connection attempt; 0 for success.
int ssock_error(int descriptor);

/// The measured round trip of a connection in microseconds.
int ssock_round_trip(int descriptor);

/// Sends without delay, and notices within some minutes when the other side has gone without a word.
void ssock_prepare(int descriptor);
void ssock_set_send_buffer(int descriptor, int bytes);
void ssock_set_receive_buffer(int descriptor, int bytes);

/// Closes with a reset.
void ssock_reset(int descriptor);

long ssock_read(int descriptor, void *bytes, size_t count);
long ssock_write(int descriptor, const void *bytes, size_t count);
void ssock_end_writing(int descriptor);

/// How many bytes were written that the other side's system does not have yet.
int ssock_unsent(int descriptor);

/// The room that the other side's system announced last, in bytes; below 0 where this system does not say (before Linux 5.4).
long ssock_peer_window(int descriptor);

/// A pipe that does not block, with room for about so many bytes where the system allows it.
int ssock_pipe(int ends[2], int bytes);
long ssock_splice(int from, int to, size_t count);

/// An epoll instance; descriptors are watched for both ways, edge by edge, listeners level by level.
int ssock_poller(void);
int ssock_watch(int poller, int descriptor, uint64_t tag);
int ssock_watch_level(int poller, int descriptor, uint64_t tag);
int ssock_unwatch(int poller, int descriptor);

/// Waits so many nanoseconds at the most, without limit below 0; the number of events.
int ssock_wait(int poller, struct ssock_event *events, int most, int64_t nanoseconds);

/// A descriptor that becomes readable when it is rung.
int ssock_bell(void);
void ssock_ring(int bell);
void ssock_silence(int bell);

/// Has SIGINT and SIGTERM ring a bell instead of ending the process; whether one of them has come.
void ssock_ring_on_signals(int bell);
int ssock_was_interrupted(void);

/// Timer slack of 1 ns and, where permitted, SCHED_FIFO for the calling thread; whether that was permitted.
int ssock_prepare_thread(void);

/// Raises the limit of open descriptors as far as permitted, and returns it.
long ssock_raise_descriptor_limit(void);

/// The error's words.
const char *ssock_message(int code);

#endif
