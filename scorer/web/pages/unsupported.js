// A browser too old for the board is shown the page that needs no script.
location.replace("/plain" + location.search);
