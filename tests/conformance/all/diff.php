<?php
// What all/diff.sh needs of the WordPress in DIR: `diff.php DIR snapshot` prints what its database has that a visitor can see, one record
// a key, with the fields that an edit can change; `diff.php DIR month` edits it for a month, and prints how many edits of which kind.
[, $dir, $mode] = $argv;
$url = trim(file_get_contents("$dir/.wpserver"));
$_SERVER += ['HTTP_HOST' => substr($url, 7), 'REQUEST_URI' => '/', 'REQUEST_METHOD' => 'GET', 'SERVER_PROTOCOL' => 'HTTP/1.1'];
require "$dir/www/wp-load.php";
require ABSPATH . 'wp-admin/includes/image.php';
wp_set_current_user(1);
const TYPES = ['post', 'page', 'book'];

function posts($type) {
    return get_posts(['post_type' => $type, 'post_status' => 'publish', 'numberposts' => -1, 'orderby' => 'ID', 'order' => 'ASC']);
}

function snapshot() {
    $all = [];
    foreach (TYPES as $type) foreach (posts($type) as $post) {
        $terms = [];
        foreach (get_object_taxonomies($type) as $taxonomy) {
            if ($taxonomy === 'post_format') continue;
            $ids = wp_get_object_terms($post->ID, $taxonomy, ['fields' => 'ids']);
            sort($ids);
            $terms[$taxonomy] = $ids;
        }
        $all["$type:$post->ID"] = ['link' => get_permalink($post), 'date' => $post->post_date_gmt, 'slug' => $post->post_name,
            'parent' => $post->post_parent, 'own' => [$post->post_title, $post->post_password ? '' : $post->post_content,
            $post->post_password ? '' : $post->post_excerpt, (bool) $post->post_password, $post->post_author, $terms,
            get_post_thumbnail_id($post->ID) ?: 0, is_sticky($post->ID), $post->comment_status]];
    }
    foreach (get_posts(['post_type' => 'attachment', 'post_status' => 'inherit', 'numberposts' => -1]) as $post) {
        if ($post->post_parent && get_post_status($post->post_parent) !== 'publish') continue;
        $parent = $post->post_parent ? get_post_type($post->post_parent) . ":$post->post_parent" : '';
        $all["media:$post->ID"] = ['link' => get_permalink($post), 'date' => $post->post_date_gmt, 'slug' => $post->post_name,
            'parent' => $parent, 'own' => [$post->post_title, $post->post_excerpt, $post->post_author,
            get_post_meta($post->ID, '_wp_attachment_image_alt', true), wp_get_attachment_url($post->ID), wp_get_attachment_metadata($post->ID)]];
    }
    foreach (['category' => 'category', 'post_tag' => 'tag', 'genre' => 'genre'] as $taxonomy => $type) {
        foreach (get_terms(['taxonomy' => $taxonomy, 'hide_empty' => false]) as $term) {
            $all["$type:$term->term_id"] = ['link' => get_term_link($term), 'date' => '', 'slug' => $term->slug, 'parent' => $term->parent,
                'own' => [$term->name, $term->description]];
        }
    }
    foreach (get_users(['has_published_posts' => TYPES]) as $user) {
        $all["user:$user->ID"] = ['link' => get_author_posts_url($user->ID), 'date' => '', 'slug' => $user->user_nicename, 'parent' => '',
            'own' => [$user->display_name, $user->description, $user->user_url]];
    }
    foreach (get_comments(['status' => 'approve', 'number' => 0]) as $comment) {
        if (get_post_status($comment->comment_post_ID) !== 'publish' || get_post($comment->comment_post_ID)->post_password) continue;
        $all["comment:$comment->comment_ID"] = ['link' => '', 'date' => $comment->comment_date_gmt, 'slug' => '', 'parent' => $comment->comment_parent,
            'own' => [$comment->comment_content, $comment->comment_author, $comment->comment_author_url, $comment->user_id]];
    }
    return $all;
}

if ($mode === 'snapshot') exit(json_encode(snapshot()));

mt_srand(11);
$done = [];
$posts = array_map(fn($post) => $post->ID, array_values(array_filter(posts('post'), fn($post) => !$post->post_password)));
$pages = array_map(fn($post) => $post->ID, posts('page'));
$books = array_map(fn($post) => $post->ID, posts('book'));
$media = get_posts(['post_type' => 'attachment', 'post_status' => 'inherit', 'numberposts' => -1, 'orderby' => 'ID', 'order' => 'ASC', 'fields' => 'ids']);
$comments = get_comments(['status' => 'approve', 'number' => 0, 'fields' => 'ids', 'orderby' => 'comment_ID', 'order' => 'ASC']);
$categories = get_terms(['taxonomy' => 'category', 'hide_empty' => false, 'fields' => 'ids']);
$tags = get_terms(['taxonomy' => 'post_tag', 'hide_empty' => false, 'fields' => 'ids']);

/** Some of a list that no edit before has taken, or any of them. */
function some(&$list, $count) {
    $taken = [];
    for (; $count > 0 && $list; $count--) $taken[] = array_splice($list, mt_rand(0, count($list) - 1), 1)[0];
    return $taken;
}

function edit($what, $id, $fields) {
    global $done;
    $result = wp_update_post(wp_slash(['ID' => $id] + $fields), true);
    if (is_wp_error($result)) exit("$what: " . $result->get_error_message());
    $done[$what] = ($done[$what] ?? 0) + 1;
}

function did($what) {
    global $done;
    $done[$what] = ($done[$what] ?? 0) + 1;
}

function content($id) { return get_post($id)->post_content; }

$untouched = $posts;
foreach (some($untouched, 30) as $n => $id) edit('title', $id, ['post_title' => get_post($id)->post_title . ($n % 2 ? '!' : ' revised')]);
foreach (some($untouched, 12) as $n => $id) edit('body: a word', $id, ['post_content' => preg_replace('/(candle|bridge|river|stone|garden)/', 'lighthouse', content($id), 1)]);
foreach (some($untouched, 12) as $n => $id) edit('body: a number', $id, ['post_content' => content($id) . "\n\nThe tide was $n feet."]);
foreach (some($untouched, 10) as $id) edit('body: cut', $id, ['post_content' => preg_replace('~<(h2|blockquote|em)\b.*?</\1>~s', '', content($id), 1)]);
foreach (some($untouched, 8) as $id) edit('body: a link', $id, ['post_content' => content($id) . '<p><a href="' . get_permalink($posts[5]) . '">further reading</a></p>']);
foreach (some($untouched, 25) as $n => $id) {
    wp_set_post_terms($id, $n % 2 ? [$tags[$n], $tags[$n + 7]] : [], 'post_tag');
    wp_set_post_terms($id, [$categories[$n % 20 + 2]], 'category');
    did('terms');
}
$users = get_users(['fields' => 'ID']);
foreach (some($untouched, 15) as $id) edit('author', $id, ['post_author' => get_post($id)->post_author == $users[1] ? $users[2] : $users[1]]);
foreach (some($untouched, 20) as $n => $id) edit('slug', $id, ['post_name' => "another-address-$n"]);
foreach (some($untouched, 15) as $n => $id) edit('date, back', $id, ['post_date' => "2018-02-" . sprintf('%02d', $n + 1) . ' 10:00:00', 'post_date_gmt' => '', 'edit_date' => true]);
foreach (some($untouched, 15) as $n => $id) edit('date, forward', $id, ['post_date' => "2024-03-" . sprintf('%02d', $n + 1) . ' 10:00:00', 'post_date_gmt' => '', 'edit_date' => true]);
foreach (some($untouched, 10) as $n => $id) {
    $picture = wp_get_attachment_image_url($media[$n], 'medium');
    edit('image in a post', $id, ['post_content' => content($id) . "<figure class=\"wp-block-image\"><img src=\"$picture\" alt=\"new\"></figure>"]);
}
foreach (some($untouched, 6) as $n => $id) { set_post_thumbnail($id, $media[$n + 11]); did('featured image'); }
foreach (some($untouched, 5) as $id) edit('excerpt', $id, ['post_excerpt' => 'In short: fog.']);
foreach (some($untouched, 2) as $id) edit('password', $id, ['post_password' => 'secret']);
foreach (some($untouched, 2) as $id) { stick_post($id); did('sticky'); }
foreach (some($untouched, 5) as $id) edit('all at once', $id, ['post_title' => 'Anew', 'post_name' => "anew-$id", 'post_date' => '2021-06-01 08:00:00', 'post_date_gmt' => '', 'edit_date' => true]);
foreach (some($untouched, 12) as $id) { wp_trash_post($id); did('trash'); }
foreach (some($untouched, 6) as $id) { wp_delete_post($id, true); did('delete'); }
foreach (get_posts(['post_status' => 'trash', 'post_type' => 'post', 'title' => 'In the trash', 'numberposts' => 4]) as $post) {
    wp_untrash_post($post->ID);
    wp_publish_post($post->ID);
    did('untrash');
}
for ($n = 1; $n <= 25; $n++) {
    $id = wp_insert_post(['post_title' => "News $n", 'post_content' => "<p>Something new, for the {$n}th time.</p>", 'post_status' => 'publish',
        'post_date' => '2024-05-' . sprintf('%02d', $n) . ' 12:00:00', 'post_author' => 1, 'post_category' => [$categories[$n % 20 + 1]]]);
    did('add a post');
}
for ($n = 1; $n <= 5; $n++) { wp_insert_post(['post_type' => 'page', 'post_title' => "New page $n", 'post_content' => 'Text', 'post_status' => 'publish']); did('add a page'); }
// Pages below others, which the pages below them follow.
foreach ([4, 7, 9, 12, 15, 20] as $n) edit('page below another', $pages[$n], ['post_parent' => $pages[$n === 4 ? 5 : 1]]);
foreach ([2, 6] as $n) edit('slug of a page', $pages[$n], ['post_name' => "moved-$n"]);
foreach (array_slice($books, 0, 5) as $n => $id) { wp_set_object_terms($id, [get_term_by('name', 'Genre ' . ($n % 6 + 1), 'genre')->term_id], 'genre'); did('genre'); }
foreach (array_slice($books, 6, 4) as $id) edit('title of a book', $id, ['post_title' => "Second edition $id"]);
$comments = array_values(array_filter($comments, fn($id) => get_comment($id) && get_comment($id)->comment_approved === '1'));
foreach (some($comments, 25) as $id) { wp_update_comment(['comment_ID' => $id, 'comment_content' => get_comment($id)->comment_content . ' Edited.']); did('edit a comment'); }
foreach (some($comments, 5) as $id) { wp_set_comment_status($id, 'hold'); did('hold a comment'); }
foreach (some($comments, 20) as $id) { wp_delete_comment($id, true); did('delete a comment'); }
for ($n = 1; $n <= 30; $n++) {
    wp_insert_comment(['comment_post_ID' => $posts[$n + 2], 'comment_author' => "Newcomer $n", 'comment_content' => "A new comment, number $n.", 'comment_approved' => 1]);
    did('add a comment');
}
foreach (array_slice($media, 20, 5) as $n => $id) {
    $image = imagecreatetruecolor(200 + $n, 150);
    ob_start();
    imagepng($image);
    $file = wp_upload_bits("replaced-$n.png", null, ob_get_clean());
    update_attached_file($id, $file['file']);
    wp_update_attachment_metadata($id, wp_generate_attachment_metadata($id, $file['file']));
    did('replace a file');
}
foreach (array_slice($media, 28, 5) as $id) { update_post_meta($id, '_wp_attachment_image_alt', 'Another description'); did('alternative text'); }
foreach (array_slice($categories, 6, 4) as $n => $id) { wp_update_term($id, 'category', ['name' => "Renamed $n"]); did('name of a category'); }
foreach (array_slice($categories, 1, 2) as $n => $id) { wp_update_term($id, 'category', ['slug' => "renamed-$n"]); did('slug of a category'); }
foreach (array_slice($tags, 50, 3) as $id) { wp_delete_term($id, 'post_tag'); did('delete a tag'); }
for ($n = 1; $n <= 5; $n++) { wp_insert_term("new tag $n", 'post_tag'); did('add a tag'); }
wp_update_user(['ID' => $users[1], 'display_name' => 'Bruno P.']);
did('name of a user');
echo json_encode($done + ['all' => array_sum($done)]), "\n";
