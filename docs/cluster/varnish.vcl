# Varnish before several servers of Segue. `Tools/run cluster` tests this file, with its addresses replaced.
vcl 4.1;

import directors;

probe health {
    .url = "/health";
    .interval = 1s;
    .timeout = 1s;
    .window = 3;
    .threshold = 2;
    .initial = 2;
}

backend one { .host = "192.0.2.11"; .port = "8080"; .connect_timeout = 2s; .first_byte_timeout = 60s; .probe = health; }
backend other { .host = "192.0.2.12"; .port = "8080"; .connect_timeout = 2s; .first_byte_timeout = 60s; .probe = health; }

sub vcl_init {
    new both = directors.shard();
    both.add_backend(one);
    both.add_backend(other);
    both.reconfigure();
}

sub vcl_backend_fetch {
    # One title is asked of one server as long as it lives, and of the other one when that has failed.
    set bereq.backend = both.backend(by = KEY, alt = bereq.retries,
        key = both.key(regsub(bereq.url, "^(/k/[^/]+)?/items/([^/?]+)/.*$", "\2")));
}

sub vcl_backend_response {
    if (beresp.status >= 500 && bereq.retries < 2) {
        return (retry);
    }
    if (bereq.url ~ "/(original|radio)($|\?)") {
        set beresp.uncacheable = true;
        return (deliver);
    }
    # Sent on when it has come whole: a server that dies in the middle of a segment is not noticed.
    set beresp.do_stream = false;
}

sub vcl_backend_error {
    if (bereq.retries < 2) {
        return (retry);
    }
}

sub vcl_deliver {
    if (obj.hits > 0) {
        set resp.http.X-Cache = "HIT";
    } else {
        set resp.http.X-Cache = "MISS";
    }
}
