// What is asked for of each thing: the fields that `comicvine-shapes.ts` reads.

export const volumeFields =
  "id,name,start_year,count_of_issues,publisher,image,description,deck,aliases,site_detail_url,issues";
export const searchFields = "id,name,start_year,count_of_issues,publisher,image,deck,aliases";
export const issueListFields = "id,name,issue_number,cover_date,store_date,image,volume";
export const issueFields =
  "id,name,issue_number,cover_date,store_date,description,image,volume,site_detail_url,person_credits,character_credits,team_credits,location_credits,story_arc_credits";
export const arcFields = "id,name,deck,description,image,publisher,issues";
