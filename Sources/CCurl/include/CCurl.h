// libcurl as a module, with shims (scurl_…) for its variadic functions.
#ifndef SEGUE_CCURL_H
#define SEGUE_CCURL_H

#include <curl/curl.h>

#endif
