#include "CSegueCurl.h"

#include <signal.h>

CURLcode scurl_global_init(void) {
    // libcurl without signals does not block this one, which a TLS connection closed by the server raises.
    signal(SIGPIPE, SIG_IGN);
    return curl_global_init(CURL_GLOBAL_DEFAULT);
}

CURLcode scurl_set_number(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode scurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode scurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode scurl_set_receiver(CURL *easy, CURLoption option, scurl_receiver value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode scurl_set_prerequest(CURL *easy, curl_prereq_callback value) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

CURLcode scurl_get_number(CURL *easy, CURLINFO info, long *value) { return curl_easy_getinfo(easy, info, value); }

CURLcode scurl_get_text(CURL *easy, CURLINFO info, const char **value) {
    return curl_easy_getinfo(easy, info, value);
}

int scurl_multi_next_done(CURLM *multi, CURL **easy, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg == CURLMSG_DONE) {
            *easy = message->easy_handle;
            *result = message->data.result;
            return 1;
        }
    }
    return 0;
}
