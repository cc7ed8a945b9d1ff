// libcurl as a module, with shims (scurl_…) for its variadic functions.
#ifndef SEGUE_CCURL_H
#define SEGUE_CCURL_H

#include <curl/curl.h>

/// Receives a piece of a header or body; returns the number of consumed bytes.
typedef size_t (*scurl_receiver)(char *bytes, size_t size, size_t count, void *context);

/// Initializes libcurl, and ignores SIGPIPE; must be called once, before anything else.
CURLcode scurl_global_init(void);

CURLcode scurl_set_number(CURL *easy, CURLoption option, long value);
CURLcode scurl_set_text(CURL *easy, CURLoption option, const char *value);
CURLcode scurl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode scurl_set_receiver(CURL *easy, CURLoption option, scurl_receiver value);

/// Sets the function that is called before each sending of a request.
CURLcode scurl_set_prerequest(CURL *easy, curl_prereq_callback value);

CURLcode scurl_get_number(CURL *easy, CURLINFO info, long *value);

/// The handle owns the text.
CURLcode scurl_get_text(CURL *easy, CURLINFO info, const char **value);

/// Returns the content of the next message, as the message itself is invalid after the next call on the multi handle.
int scurl_multi_next_done(CURLM *multi, CURL **easy, CURLcode *result);

#endif
