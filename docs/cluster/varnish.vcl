# Varnish in front of several Segue servers. `Tools/run cluster` tests this file, with its addresses replaced.
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
    # All requests for a title go to one server while it is alive, and to the other one after a failure.
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
    # Delivered when complete, so that clients do not notice a server that dies in the middle of a segment.
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
