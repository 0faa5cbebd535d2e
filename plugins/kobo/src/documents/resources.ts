/** The addresses that an e-reader asks for at its start. What is not named here it takes from the shop's own. */
export function resources(endpoint: string) {
  const store = `${endpoint}/v1`;
  const cover = `${store}/books/{ImageId}/thumbnail/{Width}/{Height}`;
  return {
    book: `${store}/products/books/{ProductId}`,
    delete_entitlement: `${store}/library/{Ids}`,
    delete_tag: `${store}/library/tags/{TagId}`,
    delete_tag_items: `${store}/library/tags/{TagId}/items/delete`,
    device_auth: `${store}/auth/device`,
    device_refresh: `${store}/auth/refresh`,
    get_tests_request: `${store}/analytics/gettests`,
    image_host: new URL(endpoint).origin,
    image_url_quality_template: `${cover}/{Quality}/{IsGreyscale}/image.jpg`,
    image_url_template: `${cover}/false/image.jpg`,
    library_items: `${store}/user/library`,
    library_metadata: `${store}/library/{Ids}/metadata`,
    library_sync: `${store}/library/sync`,
    post_analytics_event: `${store}/analytics/event`,
    reading_state: `${store}/library/{Ids}/state`,
    rename_tag: `${store}/library/tags/{TagId}`,
    tag_items: `${store}/library/tags/{TagId}/Items`,
    tags: `${store}/library/tags`,
    user_profile: `${store}/user/profile`,
    user_wishlist: `${store}/user/wishlist`,
    use_one_store: "False",
  };
}
