// Redirect browsers too old for the board to the page without scripts.
location.replace("/plain" + location.search);
