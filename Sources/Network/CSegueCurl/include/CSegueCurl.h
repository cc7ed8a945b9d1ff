// libcurl as a module, with shims (scurl_…) for its variadic functions.
#ifndef SEGUE_CCURL_H
#define SEGUE_CCURL_H

#include <curl/curl.h>

/// What curl calls with a piece of a header or body; returns how much it took.
typedef size_t (*scurl_receiver)(char *bytes, size_t size, size_t count, void *context);

/// Sets up the library, and lets the process ignore SIGPIPE; to be called once, before all else.
CURLcode scurl_global_init(void);

CURLcode scurl_set_number(CURL *easy, CURLoption option, long value);
CURLcode scurl_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode scurl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode scurl_set_receiver(CURL *easy, CURLoption option, scurl_receiver value);

CURLcode scurl_get_number(CURL *easy, CURLINFO info, long *value);

/// The text belongs to the handle.
CURLcode scurl_get_text(CURL *easy, CURLINFO info, const char **value);

/// The message is no longer there after the next call on the multi handle; this takes out what is in it.
int scurl_multi_next_done(CURLM *multi, CURL **easy, CURLcode *result);

#endif
